// Checks the order of a record's events: a run starts before its blocks, a container before what it contains, and everything
// ends once. Reporters rely on it.

import type { RunEvent } from "@callsheet/format"

interface OpenBlock {
  readonly parent: OpenBlock | undefined
  /** The open iterations of a loop. */
  readonly iterations: Set<number>
  /** The number of open blocks directly in the block. */
  children: number
}

/** Returns a function that explains what is wrong with the place of an event, or returns undefined. */
export function createOrderCheck(): (event: RunEvent) => string | undefined {
  let run: RunOrder | undefined
  return (event) => {
    if (event.type === "run.started") {
      if (run !== undefined) return `run ${run.run} has not finished`
      run = new RunOrder(event.run)
      return undefined
    }
    if (event.type === "leftovers.found" || event.type === "baseline.compared") return undefined
    if (run === undefined) return "no run has started"
    if (run.run !== event.run) return `it belongs to run ${event.run}, but run ${run.run} has not finished`
    const wrong = run.check(event)
    if (event.type === "run.finished") run = undefined
    return wrong
  }
}

class RunOrder {
  readonly run: number
  readonly #open = new Map<number, OpenBlock>()
  /** Skipped containers, which the blocks in them directly follow. */
  readonly #skipped = new Map<number, OpenBlock>()
  #last = -1

  constructor(run: number) {
    this.run = run
  }

  check(
    event: Exclude<RunEvent, { type: "run.started" | "leftovers.found" | "baseline.compared" }>,
  ): string | undefined {
    if (event.type !== "block.skipped" && this.#skipped.size > 0) this.#skipped.clear()
    switch (event.type) {
      case "block.started":
      case "block.skipped":
        return this.#enter(event)
      case "run.finished":
        return this.#open.size === 0 ? undefined : `${this.#open.size} of its blocks have not finished`
      case "block.finished":
        return this.#finish(event.block)
      case "iteration.started":
        return this.#iteration(event, true)
      case "iteration.finished":
        return this.#iteration(event, false)
      default:
        // Reporters ignore what arrives for a block that isn't open, such as late output of a script.
        return undefined
    }
  }

  #enter({
    type,
    block,
    parent: number,
    iteration,
  }: Extract<RunEvent, { type: "block.started" | "block.skipped" }>) {
    if (block <= this.#last) return `block ${block} has started before`
    const parent = number === undefined ? undefined : (this.#open.get(number) ?? this.#skipped.get(number))
    if (number !== undefined && parent === undefined) return `its parent, block ${number}, is not open`
    if (iteration !== undefined && parent?.iterations.has(iteration) !== true)
      return `iteration ${iteration} of its parent is not open`
    this.#last = block
    const opened = { parent, iterations: new Set<number>(), children: 0 }
    if (type === "block.skipped") this.#skipped.set(block, opened)
    else {
      this.#open.set(block, opened)
      if (parent !== undefined) parent.children++
    }
    return undefined
  }

  #finish(number: number): string | undefined {
    const block = this.#open.get(number)
    if (block === undefined) return unknown(number)
    const inner = block.children + block.iterations.size
    if (inner > 0) return `${inner} blocks or iterations in block ${number} have not finished`
    this.#open.delete(number)
    if (block.parent !== undefined) block.parent.children--
    return undefined
  }

  #iteration(
    { block: number, index }: Extract<RunEvent, { type: "iteration.started" | "iteration.finished" }>,
    isStart: boolean,
  ): string | undefined {
    const block = this.#open.get(number)
    if (block === undefined) return unknown(number)
    if (block.iterations.has(index) === isStart)
      return `iteration ${index} of block ${number} ${isStart ? "has started before" : "is not open"}`
    if (isStart) block.iterations.add(index)
    else block.iterations.delete(index)
    return undefined
  }
}

const unknown = (block: number): string => `block ${block} is not open`
