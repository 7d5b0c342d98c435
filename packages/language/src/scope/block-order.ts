// Whether a block has run, and so has a result, when another one reads it.

import { children, type Block, type Blocks, type LoopBlock, type Visit } from "@callsheet/format"

/**
 * `earlier`: it has run. `perhaps`: it may have been skipped, or only an earlier iteration has run it. `later` and
 * `other-branch`: it has never run.
 */
export type Reach = "earlier" | "perhaps" | "later" | "other-branch"

export interface Reader {
  readonly visit: Visit
  /** Whether it reads when the blocks nested in it have run: the check of a polling loop. */
  readonly isAfterNested?: boolean
}

/** A block's place in the order of the file: nested blocks are numbered from its own number to its end. */
interface Place {
  readonly number: number
  end: number
  /** The list of blocks that it stands in. */
  readonly list: List
}

/** A list of blocks: the whole of a loop or group, one branch of a condition. */
interface List {
  readonly owner: Block | undefined
  readonly ownerPlace: Place | undefined
  readonly isBranch: boolean
  readonly first: number
  end: number
}

/** The order of a workflow's blocks. */
export class BlockOrder {
  readonly #places = new Map<Block, Place>()

  constructor(blocks: Blocks) {
    let number = 0
    // What is still to be done, the next last: nesting has no bound.
    const work: (() => void)[] = []
    const enterList = (inner: Blocks, owner: Block | undefined, isBranch: boolean): void => {
      const ownerPlace = owner === undefined ? undefined : this.#places.get(owner)
      const list: List = { owner, ownerPlace, isBranch, first: number, end: number }
      work.push(() => (list.end = number))
      for (const block of inner.toReversed()) work.push(() => enterBlock(block, list))
    }
    const enterBlock = (block: Block, list: List): void => {
      const place: Place = { number, end: ++number, list }
      this.#places.set(block, place)
      work.push(() => (place.end = number))
      for (const { field, blocks: inner } of children(block).toReversed())
        work.push(() => enterList(inner, block, field !== "blocks"))
    }
    enterList(blocks, undefined, false)
    for (let task = work.pop(); task !== undefined; task = work.pop()) task()
  }

  /** What a reader may count on of a block that leaves a result. */
  reach(writer: Visit, { visit: reader, isAfterNested = false }: Reader): Reach {
    const from = this.#places.get(writer.block)
    const to = this.#places.get(reader.block)
    if (from === undefined || to === undefined) return "earlier"
    const isNested = from !== to && holds(to, from)
    if (isNested && isAfterNested) return this.#isBehindBranch(from, to) ? "perhaps" : "earlier"
    const hasRun = !isNested && from.number < to.number
    if (hasRun && !this.#isBehindBranch(from, to)) return "earlier"
    const isRepeated = this.#isInEarlierIteration(from, to)
    if (this.#areInOtherBranches(from, to)) return isRepeated ? "perhaps" : "other-branch"
    if (hasRun) return "perhaps"
    return isRepeated ? "earlier" : "later"
  }

  /** Whether a branch stands around the writer and not around the reader. */
  #isBehindBranch(from: Place, to: Place): boolean {
    for (let list: List | undefined = from.list; list !== undefined && !has(list, to); list = outer(list))
      if (list.isBranch) return true
    return false
  }

  /** Whether the innermost condition around both has them in different branches. */
  #areInOtherBranches(from: Place, to: Place): boolean {
    for (let list: List | undefined = from.list; list !== undefined && !has(list, to); list = outer(list)) {
      const { ownerPlace } = list
      if (list.isBranch && ownerPlace !== undefined && ownerPlace !== to && holds(ownerPlace, to)) return true
    }
    return false
  }

  /** Inside a loop every block of its body counts as earlier, but for iterations that run side by side. */
  #isInEarlierIteration(from: Place, to: Place): boolean {
    for (let list: List | undefined = from.list; list !== undefined; list = outer(list)) {
      if (list.owner?.type === "loop" && has(list, to)) return isSequential(list.owner)
    }
    return false
  }
}

const isSequential = ({ execution }: LoopBlock): boolean => execution !== "parallel"
const outer = ({ ownerPlace }: List): List | undefined => ownerPlace?.list
const holds = (container: Place, inner: Place): boolean =>
  container.number <= inner.number && inner.number < container.end
/** Whether a block stands in a list, at whatever depth. */
const has = (list: List, { number }: Place): boolean => list.first <= number && number < list.end
