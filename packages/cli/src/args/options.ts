// The options of a call, by name. The parser has already checked that the command accepts them.

export class Options {
  readonly #values: ReadonlyMap<string, readonly string[]>

  /** The values of each option by its name. The list of a flag is empty. */
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
