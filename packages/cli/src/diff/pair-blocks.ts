// Pairs the blocks of all sides while it reads them, so that few blocks are in memory at once.

import { getOrCreate, type BlockReport, type Problem } from "@callsheet/format"
import { spoolValue } from "../record/text-spool.ts"
import type { RanBlock, Side } from "./read-side.ts"

export type SideName = "left" | "right" | "baseline"

/** A block on each side that has it. */
export type Paired = { readonly [S in SideName]?: RanBlock | undefined }

/** A block that waits for the other sides. */
interface Waiting {
  readonly block: Omit<RanBlock, "report">
  readonly report: () => BlockReport
  readonly bytes: number
}

type Entry = Partial<Record<SideName, Waiting>>

/** The entries of a key. Each side fills them in order, so the first ones are complete first. */
interface Entries {
  readonly list: Entry[]
  /** The number of entries in the list that a side has filled. */
  readonly filled: Partial<Record<SideName, number>>
}

/** The maximum size of the bodies in memory that wait for the other sides. */
const MAX_BYTES = 32 * 1024 * 1024

/** Yields every block once, paired with the same block of the other sides. Returns the problems of all sides. */
export async function* pairBlocks(
  sides: ReadonlyMap<SideName, Side>,
): AsyncGenerator<Paired, readonly Problem[], void> {
  const pool = new Pool([...sides.keys()])
  const problems: Problem[] = []
  for (let name = pool.next(); name !== undefined; name = pool.next()) {
    const read = await sides.get(name)!.blocks.next()
    if (read.done === true) {
      problems.push(...read.value)
      yield* pool.end(name)
    } else {
      const paired = pool.add(name, read.value)
      if (paired !== undefined) yield paired
    }
  }
  return problems
}

class Pool {
  /** The entries by key. Ids can be equal, so a key may have several. */
  readonly #entries = new Map<string, Entries>()
  readonly #waiting: Map<SideName, number>
  #bytes = 0

  constructor(names: readonly SideName[]) {
    this.#waiting = new Map(names.map((name) => [name, 0]))
  }

  /** Returns the side to read next: the one with the fewest waiting blocks. */
  next(): SideName | undefined {
    const [first] = [...this.#waiting].toSorted(([, one], [, other]) => one - other)
    return first?.[0]
  }

  add(name: SideName, ran: RanBlock): Paired | undefined {
    const entries = getOrCreate(this.#entries, ran.key, (): Entries => ({ list: [], filled: {} }))
    const { list, filled } = entries
    const at = filled[name] ?? 0
    const entry = (list[at] ??= {})
    filled[name] = at + 1
    entry[name] = this.#keep(ran)
    this.#count(name, 1)
    if (!this.#isWhole(entry)) return undefined
    this.#removeFirst(ran.key, entries, 1)
    return this.#take(entry)
  }

  /** Marks the end of a side. Yields the blocks that waited only for it. */
  *end(name: SideName): Generator<Paired, void> {
    this.#waiting.delete(name)
    for (const [key, entries] of this.#entries) {
      const whole = entries.list.filter((entry) => this.#isWhole(entry))
      this.#removeFirst(key, entries, whole.length)
      for (const entry of whole) yield this.#take(entry)
    }
  }

  #removeFirst(key: string, { list, filled }: Entries, count: number): void {
    if (count === 1) list.shift()
    else list.splice(0, count)
    for (const name of this.#waiting.keys()) filled[name] = Math.max(0, (filled[name] ?? 0) - count)
    if (list.length === 0) this.#entries.delete(key)
  }

  #isWhole(entry: Entry): boolean {
    for (const name of this.#waiting.keys()) if (entry[name] === undefined) return false
    return true
  }

  #keep({ report, ...block }: RanBlock): Waiting {
    const bytes = Math.max(0, report.response?.sizeBytes ?? 0)
    if (this.#bytes + bytes > MAX_BYTES) return { block, report: spoolValue(report), bytes: 0 }
    this.#bytes += bytes
    return { block, report: () => report, bytes }
  }

  #take(entry: Entry): Paired {
    const paired: { -readonly [S in SideName]?: RanBlock } = {}
    for (const [name, waiting] of Object.entries(entry) as [SideName, Waiting][]) {
      this.#bytes -= waiting.bytes
      this.#count(name, -1)
      paired[name] = { ...waiting.block, report: waiting.report() }
    }
    return paired
  }

  #count(name: SideName, by: number): void {
    const count = this.#waiting.get(name)
    if (count !== undefined) this.#waiting.set(name, count + by)
  }
}
