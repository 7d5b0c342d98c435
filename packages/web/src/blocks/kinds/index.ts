// The kinds of block in one table: what the page asks of a block, it asks here.

import {
  blockDefinitions,
  isBlockKind,
  isJsonObject,
  type BlockKind,
  type JsonObject,
  type JsonValue,
} from "@callsheet/format"
import { assert } from "./assert.tsx"
import { condition } from "./condition.tsx"
import { group } from "./group.tsx"
import type { KindView, Surroundings } from "./kind-view.ts"
import { loop } from "./loop.tsx"
import { request } from "./request.tsx"
import { script } from "./script.tsx"
import { transform } from "./transform.tsx"

const kindViews: { readonly [K in BlockKind]: KindView } = {
  request,
  assert,
  transform,
  condition,
  loop,
  group,
  script,
}

/** Undefined where the format knows no such kind. */
export const kindViewOf = (type: unknown): KindView | undefined =>
  isBlockKind(type) ? kindViews[type] : undefined

/** What a block does, in one line; any value may stand in the file. */
export const blockSummary = (block: JsonValue): string =>
  isJsonObject(block) ? (kindViewOf(block["type"])?.summary(block) ?? "") : ""

/** What a kind is for, in one sentence. */
export const kindSummary = (kind: BlockKind): string => blockDefinitions[kind].summary

/** A block without an id. */
export type NewBlock = JsonObject & { readonly type: BlockKind }

export const newBlock = (kind: BlockKind, surroundings: Surroundings): NewBlock => ({
  type: kind,
  ...kindViews[kind].fresh(surroundings),
})
