// The smallest pieces of TypeScript: texts and names that come from documents and workflows, whatever they hold.

/** A string literal. */
export const quoted = (text: string): string =>
  // A line separator would end the line for some readers of the file.
  JSON.stringify(text).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")

/** The name of a property. */
export const propertyName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name))

/** A type for a template with gaps: `ship-${string}`. */
export const templateType = (pieces: readonly string[]): string =>
  `\`${pieces
    .map((piece) =>
      quoted(piece)
        .slice(1, -1)
        .replaceAll('\\"', '"')
        .replace(/`|\$(?=\{)/g, "\\$&"),
    )
    .join("${string}")}\``

/** Beyond this a name tells no more. */
const MAX_NAME = 60

/** Names for types, each given once. */
export class TypeNames {
  readonly #taken: Set<string>

  constructor(taken: readonly string[]) {
    this.#taken = new Set(taken)
  }

  /** A name like the wish that is no other's. */
  take(wish: string): string {
    const words = wish.split(/[^A-Za-z0-9]+/).filter((word) => word !== "")
    const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")
    const base = (/^[A-Z]/.test(joined) ? joined : `Type${joined}`).slice(0, MAX_NAME)
    let name = base
    for (let count = 2; this.#taken.has(name); count++) name = `${base}${count}`
    this.#taken.add(name)
    return name
  }
}
