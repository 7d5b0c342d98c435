// Finds the position of each block in a workflow, and which blocks have run when another block reads a result.

import {
  type Block,
  type Blocks,
  childFields,
  children,
  isJsonArray,
  isJsonObject,
  iterates,
  type JsonObject,
  type JsonValue,
  traitsOf,
  ownOf,
  parseTemplateOnce,
} from "@callsheet/format"
import { mayMeet, patternOf } from "../names/name-pattern.ts"
import { leavesResult, readsEarlierIterations, type ScopeLoop } from "./rules.ts"

/**
 * The certainty that a block has run when another one reads it. `perhaps` means that the block may be skipped, or has
 * run only in an earlier iteration.
 */
export type Reach = "earlier" | "perhaps" | "later" | "other-branch"

export interface PlaceReader<B> {
  readonly block: B
  /** True for the check of a polling loop, which reads after the nested blocks. */
  readonly isAfterNested?: boolean | undefined
}

interface BlockView<B> {
  readonly children: (block: B) => readonly { readonly field: string; readonly blocks: readonly B[] }[]
  readonly loop: (block: B) => ScopeLoop | undefined
}

/** A block's position in file order. The numbers of its nested blocks lie between its own number and `end`. */
interface Place<B> {
  readonly block: B
  readonly number: number
  end: number
  readonly list: List<B>
  readonly loops: LoopPlaces<B> | undefined
}

export interface LoopPlaces<B> {
  readonly loop: ScopeLoop
  readonly place: Place<B>
  readonly outer: LoopPlaces<B> | undefined
}

/** A list of blocks: the contents of a loop or group, or one branch of a condition. */
interface List<B> {
  readonly owner: Place<B> | undefined
  readonly isBranch: boolean
  readonly first: number
  end: number
}

export class Places<B extends { readonly id?: unknown; readonly type?: unknown }> {
  readonly #places = new Map<B, Place<B>>()
  readonly #view: BlockView<B>
  #ids: Ids<B> | undefined

  constructor(blocks: readonly B[], view: BlockView<B>) {
    this.#view = view
    let number = 0
    // Uses a stack, because nesting has no limit.
    const work: (() => void)[] = []
    const enterList = (inner: readonly B[], owner: Place<B> | undefined, isBranch: boolean): void => {
      const list: List<B> = { owner, isBranch, first: number, end: number }
      const loops = owner === undefined ? undefined : this.loopsIn(owner)
      work.push(() => (list.end = number))
      for (const block of inner.toReversed()) work.push(() => enterBlock(block, list, loops))
    }
    const enterBlock = (block: B, list: List<B>, loops: LoopPlaces<B> | undefined): void => {
      const place: Place<B> = { block, number, end: ++number, list, loops }
      this.#places.set(block, place)
      work.push(() => (place.end = number))
      for (const { field, blocks: nested } of view.children(block).toReversed())
        work.push(() => enterList(nested, place, field !== "blocks"))
    }
    enterList(blocks, undefined, false)
    for (let task = work.pop(); task !== undefined; task = work.pop()) task()
  }

  of(block: B): Place<B> | undefined {
    return this.#places.get(block)
  }

  /** Returns the first block with an id, or else one whose id may expand to the name. */
  named(name: string): B | undefined {
    this.#ids ??= idsOf(this.#places.keys())
    return (
      this.#ids.exact.get(name) ?? this.#ids.open.find(({ pattern }) => mayMeet(pattern, nameOf(name)))?.block
    )
  }

  /** Returns the loops around a block's contents, including the block itself if it is a loop. */
  loopsIn(place: Place<B>): LoopPlaces<B> | undefined {
    const loop = this.#view.loop(place.block)
    return loop === undefined ? place.loops : { loop, place, outer: place.loops }
  }

  loopsOf({ block, isAfterNested }: PlaceReader<B>): LoopPlaces<B> | undefined {
    const place = this.#places.get(block)
    return place === undefined || isAfterNested !== true ? place?.loops : this.loopsIn(place)
  }

  resultsFor(reader: PlaceReader<B>): readonly { readonly name: string; readonly block: B }[] {
    const own = this.#places.get(reader.block)
    const end = (reader.isAfterNested === true ? own?.end : own?.number) ?? Infinity
    const before: { readonly name: string; readonly block: B }[] = []
    const after: typeof before = []
    for (const { block, number } of this.#places.values()) {
      const { id: name } = block
      if (typeof name === "string" && leavesResult(block) && hasRunBy(this.reach(block, reader)))
        (number < end ? before : after).push({ name, block })
    }
    return [...before.reverse(), ...after]
  }

  reach(writer: B, { block, isAfterNested = false }: PlaceReader<B>): Reach {
    const from = this.#places.get(writer)
    const to = this.#places.get(block)
    if (from === undefined || to === undefined) return "earlier"
    const isNested = from !== to && holds(to, from)
    if (isNested && isAfterNested) return isBehindBranch(from, to) ? "perhaps" : "earlier"
    const isBefore = from.number < to.number
    if (isBefore && !isBehindBranch(from, to)) return "earlier"
    const isRepeated = this.#isInEarlierIteration(from, to)
    if (areInOtherBranches(from, to)) return isRepeated ? "perhaps" : "other-branch"
    if (isBefore) return "perhaps"
    return isRepeated ? "earlier" : "later"
  }

  surelyRunsBefore(writer: B, reader: B): boolean {
    const from = this.#places.get(writer)
    const to = this.#places.get(reader)
    return from !== undefined && to !== undefined && from.number < to.number && !isBehindBranch(from, to)
  }

  /** Returns whether `to` may have run in an earlier iteration of a loop around both blocks. */
  #isInEarlierIteration(from: Place<B>, to: Place<B>): boolean {
    for (const list of listsAround(from)) {
      const loop = list.owner === undefined ? undefined : this.#view.loop(list.owner.block)
      if (loop !== undefined && has(list, to)) return readsEarlierIterations(loop)
    }
    return false
  }
}

interface Ids<B> {
  readonly exact: ReadonlyMap<string, B>
  /** The blocks with placeholders in their ids. */
  readonly open: readonly { readonly block: B; readonly pattern: string }[]
}

function idsOf<B extends { readonly id?: unknown }>(blocks: Iterable<B>): Ids<B> {
  const exact = new Map<string, B>()
  const open: { readonly block: B; readonly pattern: string }[] = []
  for (const block of blocks) {
    const { id } = block
    if (typeof id !== "string") continue
    if (!exact.has(id)) exact.set(id, block)
    if (id.includes("{{")) open.push({ block, pattern: nameOf(id) })
  }
  return { exact, open }
}

/** Returns a name with a hole for each placeholder. */
function nameOf(text: string): string {
  const template = parseTemplateOnce(text)
  return template.ok ? patternOf(template.parts) : text
}

/** Returns whether the result exists or may exist. */
export const hasRunBy = (reach: Reach): reach is "earlier" | "perhaps" =>
  reach === "earlier" || reach === "perhaps"

export const placesOf = (blocks: Blocks): Places<Block> =>
  new Places(blocks, {
    children,
    loop: (block) => (iterates(block) ? block : undefined),
  })

const rawPlaces = (blocks: JsonValue | undefined): Places<JsonObject> =>
  new Places(objectsIn(blocks), {
    children: (block) => childFields.map((field) => ({ field, blocks: objectsIn(ownOf(block, field)) })),
    loop: ({ type, iteratorVar, execution }) =>
      traitsOf(type)?.iterates === true
        ? {
            iteratorVar: typeof iteratorVar === "string" && iteratorVar !== "" ? iteratorVar : undefined,
            execution: execution === "parallel" ? execution : undefined,
          }
        : undefined,
  })

const objectsIn = (list: JsonValue | undefined): readonly JsonObject[] =>
  isJsonArray(list) ? list.filter(isJsonObject) : []

function* listsAround<B>(place: Place<B>): Generator<List<B>> {
  for (let here: Place<B> | undefined = place; here !== undefined; here = here.list.owner) yield here.list
}

/** Yields the branches that contain `from` and not `to`. */
function* branchesApart<B>(from: Place<B>, to: Place<B>): Generator<List<B>> {
  for (const list of listsAround(from)) {
    if (has(list, to)) return
    if (list.isBranch) yield list
  }
}

const isBehindBranch = <B>(from: Place<B>, to: Place<B>): boolean =>
  branchesApart(from, to).next().done === false

const areInOtherBranches = <B>(from: Place<B>, to: Place<B>): boolean =>
  [...branchesApart(from, to)].some(({ owner }) => owner !== undefined && owner !== to && holds(owner, to))

const holds = <B>(container: Place<B>, inner: Place<B>): boolean =>
  container.number <= inner.number && inner.number < container.end
const has = <B>(list: List<B>, { number }: Place<B>): boolean => list.first <= number && number < list.end

export type VisibleName =
  | { readonly is: "iterator"; readonly name: string; readonly loop: JsonObject }
  | { readonly is: "input"; readonly name: string; readonly declaration: JsonValue }
  | { readonly is: "result"; readonly name: string; readonly block: JsonObject }

export interface VisibleNames {
  readonly iterator: readonly VisibleName[]
  readonly input: readonly VisibleName[]
  readonly result: readonly VisibleName[]
  readonly hasIndex: boolean
}

export class WorkflowNames {
  readonly #inputs: JsonValue | undefined
  readonly #places: Places<JsonObject>

  constructor(workflow: JsonValue | undefined) {
    const { inputs, blocks } = isJsonObject(workflow) ? workflow : {}
    this.#inputs = inputs
    this.#places = rawPlaces(blocks)
  }

  /**
   * Returns what a block reads by a name as it is written, or would read if it were later. Undefined for a variable or an
   * unknown name.
   */
  meaningOf(name: string, reader: PlaceReader<JsonObject>): VisibleName | undefined {
    for (let here = this.#places.loopsOf(reader); here !== undefined; here = here.outer)
      if (here.loop.iteratorVar === name) return { is: "iterator", name, loop: here.place.block }
    const declaration = isJsonObject(this.#inputs) ? ownOf(this.#inputs, name) : undefined
    if (declaration !== undefined) return { is: "input", name, declaration }
    const block = this.#places.named(name)
    return block === undefined ? undefined : { is: "result", name, block }
  }

  hasRun(writer: JsonObject, reader: PlaceReader<JsonObject>): boolean {
    return hasRunBy(this.#places.reach(writer, reader))
  }

  /** Returns the names that a block can read. `isAfterNested` is true for the check of a polling loop. */
  visibleTo(block: JsonObject, isAfterNested = false): VisibleNames {
    const reader = { block, isAfterNested }
    const around = this.#places.loopsOf(reader)
    const iterator: VisibleName[] = []
    for (let here = around; here !== undefined; here = here.outer) {
      const name = here.loop.iteratorVar
      if (name !== undefined) iterator.push({ is: "iterator", name, loop: here.place.block })
    }
    const inputs = isJsonObject(this.#inputs) ? Object.entries(this.#inputs) : []
    return {
      iterator,
      input: inputs.map(([name, declaration]) => ({ is: "input", name, declaration })),
      result: this.#places.resultsFor(reader).map((result) => ({ is: "result", ...result })),
      hasIndex: around !== undefined,
    }
  }
}
