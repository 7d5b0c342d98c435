// A map from numbers to values for many short-lived entries, such as a run's open blocks.

const EMPTY = -1

/**
 * A hash table that allocates nothing while entries are added and removed. A `Map` creates a new table every few
 * entries. If V8 has moved an old table to its old generation, that table keeps all later ones in memory.
 */
export class NumberTable<T> {
  /** The keys. The length is a power of 2 and at least twice the number of values, so that probing stays short. */
  #numbers: number[] = [EMPTY, EMPTY, EMPTY, EMPTY]
  #values: (T | undefined)[] = [undefined, undefined, undefined, undefined]
  #size = 0

  get(number: number): T | undefined {
    return this.#values[this.#find(number)]
  }

  /** Sets the value of a number, which must be 0 or more. */
  set(number: number, value: T): void {
    let at = this.#find(number)
    if (this.#numbers[at] === EMPTY) {
      if (++this.#size * 2 > this.#numbers.length) {
        this.#grow()
        at = this.#find(number)
      }
      this.#numbers[at] = number
    }
    this.#values[at] = value
  }

  delete(number: number): void {
    const numbers = this.#numbers
    const last = numbers.length - 1
    let hole = this.#find(number)
    if (numbers[hole] === EMPTY) return
    this.#size--
    // Move back the entries that the removed one had displaced.
    for (let at = (hole + 1) & last; ; at = (at + 1) & last) {
      const moved = numbers[at] ?? EMPTY
      if (moved === EMPTY) break
      if (((at - moved) & last) < ((at - hole) & last)) continue
      numbers[hole] = moved
      this.#values[hole] = this.#values[at]
      hole = at
    }
    numbers[hole] = EMPTY
    this.#values[hole] = undefined
  }

  entries(): readonly (readonly [number, T])[] {
    return this.#numbers
      .flatMap((number, at) => (number === EMPTY ? [] : [[number, this.#values[at] as T] as const]))
      .sort(([a], [b]) => a - b)
  }

  /** Returns the slot of the number, or the slot where it would go. */
  #find(number: number): number {
    const numbers = this.#numbers
    const last = numbers.length - 1
    let at = number & last
    while (numbers[at] !== number && numbers[at] !== EMPTY) at = (at + 1) & last
    return at
  }

  #grow(): void {
    const before = this.entries()
    const length = this.#numbers.length * 2
    this.#numbers = Array.from({ length }, () => EMPTY)
    this.#values = Array.from({ length }, () => undefined)
    for (const [number, value] of before) {
      const at = this.#find(number)
      this.#numbers[at] = number
      this.#values[at] = value
    }
  }
}
