// The table of the seven block kinds, and the functions that shared code calls on a block.

import type { JsonObject } from "../../json/value.ts"
import { array, variant, type ObjectShape, type Shape } from "../../shape/shape.ts"
import type { Block, BlockKind, Blocks, ScriptTarget } from "../types.ts"
import { assert } from "./assert.ts"
import { condition } from "./condition.ts"
import {
  textStrings,
  type BlockDefinition,
  type BlockTraits,
  type ChildField,
  type ChildList,
  type EmptyList,
  type LiveString,
  type LocatedAssertion,
} from "./definition.ts"
import { group } from "./group.ts"
import { loop, loopShape } from "./loop.ts"
import { request } from "./request.ts"
import { script } from "./script.ts"
import { transform } from "./transform.ts"

export const blockDefinitions = {
  request,
  assert,
  transform,
  condition,
  loop,
  group,
  script,
} satisfies { readonly [K in BlockKind]: BlockDefinition<K> }

const definitions: { readonly [K in BlockKind]: BlockDefinition<K> } = blockDefinitions
export const blockKinds = Object.keys(blockDefinitions) as readonly BlockKind[]
const kinds: ReadonlySet<unknown> = new Set(blockKinds)

export const isBlockKind = (type: unknown): type is BlockKind => kinds.has(type)

/** Returns the traits of a kind, or undefined for the unknown kind of an invalid draft. */
export function traitsOf(kind: BlockKind): BlockTraits
export function traitsOf(kind: unknown): BlockTraits | undefined
export function traitsOf(kind: unknown): BlockTraits | undefined {
  return isBlockKind(kind) ? definitions[kind] : undefined
}

export const childFieldsOf = (type: unknown): readonly ChildField[] => traitsOf(type)?.childFields ?? []

/** The child fields of all kinds. The fields of one kind keep their order. */
export const childFields: readonly string[] = [
  ...new Set(blockKinds.flatMap((kind) => definitions[kind].childFields)),
]

export const blocksShape: Shape<Blocks> = array<Block>(() => blockShape)

export const shapeOfKind = (kind: BlockKind): ObjectShape => blockDefinitions[kind].shape(blocksShape)

const variants: Readonly<Record<string, ObjectShape>> = Object.fromEntries(
  blockKinds.map((kind) => [kind, shapeOfKind(kind)]),
)
const blockShape: Shape<Block> = variant<Block>({
  name: "block",
  tag: "type",
  variants,
  summaries: Object.fromEntries(blockKinds.map((kind) => [kind, blockDefinitions[kind].summary])),
})

const { timeoutMs, maxIterations, delayMs, execution } = loopShape(blocksShape).fields

export const blockDefaults = {
  timeoutMs: timeoutMs.default,
  maxIterations: maxIterations.default,
  delayMs: delayMs.default,
  execution: execution.default,
}

const definitionOf = <K extends BlockKind>(block: Block<K>): BlockDefinition<K> =>
  definitions[block.type as K]

type Definitions = typeof blockDefinitions
type BlocksWith<Q extends keyof BlockTraits, A> = Block<
  { [K in BlockKind]: Definitions[K][Q] extends A ? K : never }[BlockKind]
>

/** Returns whether later blocks read a response by the block's id. */
export const hasResponse = (block: Block): block is BlocksWith<"result", "response"> =>
  definitionOf(block).result === "response"

/** Returns whether a kind of block receives a response. */
export const kindHasResponse = (kind: BlockKind): boolean => definitions[kind].result === "response"

/** Returns whether later blocks read outputs by the block's id. */
export const hasOutputs = (block: Block): block is BlocksWith<"result", "outputs"> =>
  definitionOf(block).result === "outputs"

export const iterates = (block: Block): block is BlocksWith<"iterates", true> => definitionOf(block).iterates

export const children = (block: Block): readonly ChildList[] =>
  definitionOf(block).childFields.flatMap((field) => {
    const blocks = (block as Partial<Record<ChildField, Blocks>>)[field]
    return blocks === undefined ? [] : [{ field, blocks }]
  })

/** Makes a valid block with the id, iterator and nested blocks of a draft, and nothing else. */
export function standInFor(draft: JsonObject, id: string, list: (field: ChildField) => Blocks): Block {
  for (const kind of blockKinds) {
    const { standIn } = definitions[kind]
    if (standIn !== undefined && (draft["type"] === kind || standIn.fits(draft)))
      return standIn.make(id, draft, list)
  }
  return group.standIn.make(id, draft, list)
}

export const emptyListOf = (block: Block): EmptyList | undefined => definitionOf(block).emptyList?.(block)

export const apisOf = (block: Block): readonly string[] => definitionOf(block).apis?.(block) ?? []
export function scriptsOf(block: Block): readonly ScriptTarget[] {
  const script = definitionOf(block).script?.(block)
  return script === undefined ? [] : [script]
}
export const assertionsOf = (block: Block): readonly LocatedAssertion[] =>
  definitionOf(block).assertions?.(block) ?? []

/** Returns every interpolated string of the block itself except `id`. */
export const stringsOf = (block: Block): readonly LiveString[] => [
  ...textStrings({ description: block.description }),
  ...(definitionOf(block).strings?.(block) ?? []),
  ...scriptsOf(block).flatMap(({ name, exportName }) => textStrings({ name, exportName }, ["script"])),
]
