// Gives equal names numbers.

/** Hands out each name once. Adds a number to a name that is taken, or that `isAllowed` refuses. */
export class UniqueNames {
  readonly #taken = new Set<string>()
  /** The next number by wanted name, so that the same name costs the same each time. */
  readonly #next = new Map<string, number>()
  readonly #separator: string
  readonly #isAllowed: (name: string) => boolean

  constructor({
    separator = "-",
    isAllowed = () => true,
    taken = [],
  }: {
    readonly separator?: string
    readonly isAllowed?: (name: string) => boolean
    readonly taken?: Iterable<string>
  } = {}) {
    this.#separator = separator
    this.#isAllowed = isAllowed
    for (const name of taken) this.#taken.add(name.toLowerCase())
  }

  isFree = (name: string): boolean => !this.#taken.has(name.toLowerCase())

  /** File systems may ignore case, so names that differ only in case count as equal. */
  add(wanted: string): string {
    const key = wanted.toLowerCase()
    let name = wanted
    let count = this.#next.get(key) ?? 2
    for (; this.#taken.has(name.toLowerCase()) || !this.#isAllowed(name); count++)
      name = `${wanted}${this.#separator}${count}`
    if (name !== wanted) this.#next.set(key, count)
    this.#taken.add(name.toLowerCase())
    return name
  }
}
