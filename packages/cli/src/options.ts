// The options of one call, by name. The parser has checked that the command takes each of them.

export class Options {
  readonly #values: ReadonlyMap<string, readonly string[]>

  /** `values` by option name; a flag that was given has an empty list. */
  constructor(values: ReadonlyMap<string, readonly string[]> = new Map()) {
    this.#values = values
  }

  has(name: string): boolean {
    return this.#values.has(name)
  }

  /** The value of an option that is given once at most. */
  value(name: string): string | undefined {
    return this.#values.get(name)?.[0]
  }

  /** All values of an option that may be repeated, in their order. */
  values(name: string): readonly string[] {
    return this.#values.get(name) ?? []
  }
}
