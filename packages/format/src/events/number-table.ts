// Values by number, where many numbers come and few stay: the open blocks of a run, the open iterations of a loop.

const EMPTY = -1

/**
 * A hash table that allocates nothing while values come and go. A `Map` makes a new table for every few of them, and
 * each old table that has reached the old generation keeps all later ones, with what they hold, from being collected.
 */
export class NumberTable<T> {
  /** Twice as many as values, or more, so that a search ends soon. Their length is a power of 2. */
  #numbers: number[] = [EMPTY, EMPTY, EMPTY, EMPTY]
  #values: (T | undefined)[] = [undefined, undefined, undefined, undefined]
  #size = 0

  get(number: number): T | undefined {
    return this.#values[this.#find(number)]
  }

  /** `number` is 0 or more. */
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
    // What was put further on because of the value that goes takes its place.
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

  /** In the order of the numbers. */
  entries(): readonly (readonly [number, T])[] {
    return this.#numbers
      .flatMap((number, at) => (number === EMPTY ? [] : [[number, this.#values[at] as T] as const]))
      .sort(([a], [b]) => a - b)
  }

  /** Where the number is, or where it would go. */
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
