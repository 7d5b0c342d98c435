// The block kinds of the page, in one table.

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

export const kindViews: { readonly [K in BlockKind]: KindView } = {
  request,
  assert,
  transform,
  condition,
  loop,
  group,
  script,
}

export const kindViewOf = (type: unknown): KindView | undefined =>
  isBlockKind(type) ? kindViews[type] : undefined

/** Returns a one-line summary of a block. The file may contain any value here. */
export const blockSummary = (block: JsonValue): string =>
  isJsonObject(block) ? (kindViewOf(block["type"])?.summary(block) ?? "") : ""

export const kindSummary = (kind: BlockKind): string => blockDefinitions[kind].summary

export type NewBlock = JsonObject & { readonly type: BlockKind }

export const newBlock = (kind: BlockKind, surroundings: Surroundings): NewBlock => ({
  type: kind,
  ...kindViews[kind].fresh(surroundings),
})
