// The names that a block of a workflow may read, in the order in which a run looks them up. Pure; it takes files that are not right yet.

import {
  isJsonArray,
  isJsonObject,
  rawBlocks,
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

interface Loop {
  readonly block: JsonObject
  readonly pointer: JsonPointer
}

/** Of the block at `pointer`. */
export function scopeOf(workflow: JsonValue | undefined, pointer: JsonPointer): BlockScope {
  const names: ScopeName[] = []
  const own = valueAt(workflow, pointer)
  const loops = loopsAround(workflow, pointer)
  // The check of a loop is made after its blocks.
  const isLoop = isJsonObject(own) && own["type"] === "loop"
  if (isLoop) loops.unshift({ block: own, pointer })
  for (const { block, pointer: loopPointer } of loops) {
    const name = block["iteratorVar"]
    if (typeof name === "string" && name !== "")
      names.push({ is: "iterator", name, loop: block, loopPointer })
  }
  const inputs = valueAt(workflow, ["inputs"])
  if (isJsonObject(inputs))
    for (const [name, declaration] of Object.entries(inputs)) names.push({ is: "input", name, declaration })
  const inside = isLoop ? withNested(own).slice(1) : []
  for (const block of [...inside.reverse(), ...earlier(workflow, pointer, loops)]) {
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
function loopsAround(workflow: JsonValue | undefined, pointer: JsonPointer): Loop[] {
  const loops: Loop[] = []
  for (let length = pointer.length - 2; length >= 2; length -= 2) {
    const at = pointer.slice(0, length)
    const block = valueAt(workflow, at)
    if (isJsonObject(block) && block["type"] === "loop") loops.push({ block, pointer: at })
  }
  return loops
}

/** Blocks before it, the closest first; inside a loop every other block of it is one of them, for its last iteration. */
function earlier(
  workflow: JsonValue | undefined,
  pointer: JsonPointer,
  loops: readonly Loop[],
): readonly JsonObject[] {
  const before: JsonObject[][] = []
  const later: JsonObject[][] = []
  const outermost = loops.map((loop) => loop.pointer.length).findLast((length) => length < pointer.length)
  for (let length = pointer.length; length >= 2; length -= 2) {
    const own = pointer[length - 1]
    const blocks = valueAt(workflow, pointer.slice(0, length - 1))
    if (!isJsonArray(blocks) || typeof own !== "number") continue
    before.push(blocks.slice(0, own).flatMap(withNested).reverse())
    // The blocks of a loop's body around it: the last iteration has left their results.
    if (outermost !== undefined && length > outermost) later.push(blocks.slice(own + 1).flatMap(withNested))
  }
  return [...before, ...later].flat()
}

/** A block and all that it holds, in the order of the file. */
const withNested = (block: JsonValue): JsonObject[] =>
  [...rawBlocks({ blocks: [block] })].map((raw) => raw.block)
