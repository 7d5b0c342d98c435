// Repeatable random choices.

export interface Chance {
  /** An integer from 0 to `below` - 1. */
  readonly upTo: (below: number) => number
  readonly pick: <T>(items: readonly T[]) => T | undefined
  readonly shuffle: <T>(items: readonly T[]) => readonly T[]
}

/** Mulberry32: small, and the same on every machine. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const upTo = (below: number): number => Math.floor(next() * below)
  const shuffle = <T>(items: readonly T[]): readonly T[] =>
    items
      .map((item) => ({ item, order: next() }))
      .sort((a, b) => a.order - b.order)
      .map(({ item }) => item)
  return { upTo, pick: (items) => items[upTo(items.length)], shuffle }
}
