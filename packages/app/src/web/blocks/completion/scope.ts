// The names that a block of a workflow may read, in the order in which a run looks them up. Pure; it takes files that are not right yet.

import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonPointer,
  type JsonValue,
} from "@callsheet/format"
import { valueAt } from "../text-edit.ts"

export type ScopeName =
  | {
      readonly is: "iterator"
      readonly name: string
      readonly loop: JsonObject
      readonly loopPointer: JsonPointer
    }
  | { readonly is: "input"; readonly name: string; readonly declaration: JsonValue }
  | { readonly is: "result"; readonly name: string; readonly block: JsonObject }

export interface BlockScope {
  /** Iterators from the innermost loop outwards, inputs, results from the closest block on. The first of a name counts. */
  readonly names: readonly ScopeName[]
  /** Whether a loop is around, so that there is an index. */
  readonly hasIndex: boolean
}

export interface Nested {
  readonly block: JsonObject
  /** The way to it; made when asked for, since nesting has no bound. */
  readonly pointer: () => JsonPointer
}

const lists = ["then", "else", "blocks"] as const

/** Of the block at `pointer`. */
export function scopeOf(workflow: JsonValue | undefined, pointer: JsonPointer): BlockScope {
  const names: ScopeName[] = []
  const own = valueAt(workflow, pointer)
  const loops = loopsAround(workflow, pointer)
  // The check of a loop is made after its blocks.
  const isLoop = isJsonObject(own) && own["type"] === "loop"
  if (isLoop) loops.unshift({ block: own, pointer: () => pointer })
  for (const { block, pointer: at } of loops) {
    const name = block["iteratorVar"]
    if (typeof name === "string" && name !== "")
      names.push({ is: "iterator", name, loop: block, loopPointer: at() })
  }
  const inputs = valueAt(workflow, ["inputs"])
  if (isJsonObject(inputs))
    for (const [name, declaration] of Object.entries(inputs)) names.push({ is: "input", name, declaration })
  const inside = isLoop ? nestedIn(own, pointer) : []
  for (const { block } of [...inside.reverse(), ...earlier(workflow, pointer, loops)]) {
    const name = block["id"]
    if (typeof name === "string" && leavesResult(block)) names.push({ is: "result", name, block })
  }
  return { names: firstOfEach(names), hasIndex: loops.length > 0 }
}

const leavesResult = ({ type }: JsonObject): boolean => type === "request" || type === "transform"

function firstOfEach(names: readonly ScopeName[]): readonly ScopeName[] {
  const first = new Map<string, ScopeName>()
  for (const name of names) if (!first.has(name.name)) first.set(name.name, name)
  return [...first.values()]
}

/** Innermost first. */
function loopsAround(workflow: JsonValue | undefined, pointer: JsonPointer): Nested[] {
  const loops: Nested[] = []
  for (let length = pointer.length - 2; length >= 2; length -= 2) {
    const at = pointer.slice(0, length)
    const block = valueAt(workflow, at)
    if (isJsonObject(block) && block["type"] === "loop") loops.push({ block, pointer: () => at })
  }
  return loops
}

/** Blocks before it, the closest first; inside a loop every other block of it is one of them, for its last iteration. */
function earlier(
  workflow: JsonValue | undefined,
  pointer: JsonPointer,
  loops: readonly Nested[],
): readonly Nested[] {
  const before: Nested[][] = []
  const later: Nested[][] = []
  const outermost = loops.map((loop) => loop.pointer().length).findLast((length) => length < pointer.length)
  for (let length = pointer.length; length >= 2; length -= 2) {
    const list = pointer.slice(0, length - 1)
    const own = pointer[length - 1]
    const blocks = valueAt(workflow, list)
    if (!isJsonArray(blocks) || typeof own !== "number") continue
    before.push(
      blocks
        .slice(0, own)
        .flatMap((block, index) => withNested(block, [...list, index]))
        .reverse(),
    )
    // The blocks of a loop's body around it: the last iteration has left their results.
    if (outermost !== undefined && length > outermost)
      later.push(
        blocks.slice(own + 1).flatMap((block, index) => withNested(block, [...list, own + 1 + index])),
      )
  }
  return [...before, ...later].flat()
}

const withNested = (block: JsonValue, pointer: JsonPointer): readonly Nested[] =>
  isJsonObject(block) ? [{ block, pointer: () => pointer }, ...nestedIn(block, pointer)] : []

interface Place {
  readonly key: string | number
  readonly parent: Place | undefined
}

/** All blocks inside, in the order of the file. Iterative: nesting has no bound. */
export function nestedIn(block: JsonObject, pointer: JsonPointer): Nested[] {
  const found: Nested[] = []
  const work: { readonly block: JsonObject; readonly place: Place | undefined }[] = [
    { block, place: undefined },
  ]
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    const { block: holder, place } = item
    if (place !== undefined) found.push({ block: holder, pointer: () => [...pointer, ...stepsOf(place)] })
    for (const field of [...lists].reverse()) {
      const list = Object.hasOwn(holder, field) ? holder[field] : undefined
      if (!isJsonArray(list)) continue
      for (let index = list.length - 1; index >= 0; index--) {
        const child = list[index]
        const key = { key: index, parent: { key: field, parent: place } }
        if (isJsonObject(child)) work.push({ block: child, place: key })
      }
    }
  }
  return found
}

function stepsOf(place: Place): JsonPointer {
  const steps: (string | number)[] = []
  for (let here: Place | undefined = place; here !== undefined; here = here.parent) steps.push(here.key)
  return steps.reverse()
}
