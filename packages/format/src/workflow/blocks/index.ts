// The seven kinds of block in one table; what shared code asks of a block it asks here.

import { array, variant, type ObjectShape, type Shape } from "../../shape/shape.ts"
import type { Block, BlockKind, Blocks, ScriptTarget } from "../types.ts"
import { assert } from "./assert.ts"
import { condition } from "./condition.ts"
import type { BlockDefinition, ChildList, LiveString, LocatedAssertion } from "./definition.ts"
import { group } from "./group.ts"
import { loop, loopShape } from "./loop.ts"
import { request } from "./request.ts"
import { script } from "./script.ts"
import { transform } from "./transform.ts"

export const blockDefinitions: { readonly [K in BlockKind]: BlockDefinition<K> } = {
  request,
  assert,
  transform,
  condition,
  loop,
  group,
  script,
}

export const blockKinds = Object.keys(blockDefinitions) as readonly BlockKind[]

const kinds: ReadonlySet<unknown> = new Set(blockKinds)

/** Asks it of a `type` as it stands in a file. */
export const isBlockKind = (type: unknown): type is BlockKind => kinds.has(type)

/** The fields that hold nested blocks in a block of this `type`, in the order in which they are shown. */
export const childFieldsOf = (type: unknown): readonly string[] =>
  isBlockKind(type) ? blockDefinitions[type].childFields : []

/** Those of all kinds; fields of one kind stand in their order. */
export const childFields: readonly string[] = [
  ...new Set(blockKinds.flatMap((kind) => blockDefinitions[kind].childFields)),
]

export const blocksShape: Shape<Blocks> = array<Block>(() => blockShape)
const variants: Readonly<Record<string, ObjectShape>> = Object.fromEntries(
  blockKinds.map((kind) => [kind, blockDefinitions[kind].shape(blocksShape)]),
)
const blockShape: Shape<Block> = variant<Block>({
  name: "block",
  tag: "type",
  variants,
  summaries: Object.fromEntries(blockKinds.map((kind) => [kind, blockDefinitions[kind].summary])),
})

const { timeoutMs, maxIterations, delayMs, execution } = loopShape(blocksShape).fields

/** What counts where a block does not say it. */
export const blockDefaults = {
  timeoutMs: timeoutMs.default,
  maxIterations: maxIterations.default,
  delayMs: delayMs.default,
  execution: execution.default,
}

const definitionOf = <K extends BlockKind>(block: Block<K>): BlockDefinition<K> =>
  blockDefinitions[block.type as K]

export const children = (block: Block): readonly ChildList[] => definitionOf(block).children(block)
export const apisOf = (block: Block): readonly string[] => definitionOf(block).apis(block)
export const scriptsOf = (block: Block): readonly ScriptTarget[] => definitionOf(block).scripts(block)
export const assertionsOf = (block: Block): readonly LocatedAssertion[] =>
  definitionOf(block).assertions(block)
export const stringsOf = (block: Block): readonly LiveString[] => definitionOf(block).strings(block)
