// The options of one call, by name. The parser has checked that the command takes each of them.

export class Options {
  readonly #values: ReadonlyMap<string, readonly string[]>

  /** `values` by option name; a flag has an empty list. */
  constructor(values: ReadonlyMap<string, readonly string[]> = new Map()) {
    this.#values = values
  }

  has(name: string): boolean {
    return this.#values.has(name)
  }

  value(name: string): string | undefined {
    return this.#values.get(name)?.[0]
  }

  values(name: string): readonly string[] {
    return this.#values.get(name) ?? []
  }
}
