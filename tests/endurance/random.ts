// Repeatable randomness: the same numbers for the same seed and index.

/** A small generator (mulberry32), good enough to choose mutations. */
export class Random {
  #state: number

  constructor(seed: number, index: number) {
    // Adjacent seeds must not give adjacent sequences.
    this.#state = mix(mix(seed >>> 0) ^ (index >>> 0))
  }

  /** Returns a number from 0 up to and excluding 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    return mix(this.#state) / 2 ** 32
  }

  /** An integer from 0 up to and excluding `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(list: readonly T[]): T {
    const value = list[this.below(list.length)]
    if (value === undefined) throw new Error("there is nothing to choose from")
    return value
  }
}

function mix(state: number): number {
  let value = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}
