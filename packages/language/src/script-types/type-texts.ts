// Writes types of values as TypeScript. Each object type becomes a named interface.

import { ANY_NAME, type JsonValue, type ValueKind, type ValueType } from "@callsheet/format"

export interface TypeBounds {
  readonly types: number
  /** The maximum length of the output. Types beyond it become `unknown`. */
  readonly characters: number
}

const usualBounds: TypeBounds = { types: 1_500, characters: 400_000 }

/** The maximum nesting of types without a named object. Deeper types become `unknown`. */
const MAX_NESTING = 8
const MAX_VALUES = 100
/** The maximum length of a property name. Properties with longer names are omitted. */
const MAX_NAME = 200
/** The maximum number of names that `names` returns. There may be more. */
const MAX_NAMES = 1_000
/** The indexes to look at for items with their own schemas. The last one stands for all other items. */
const POSITIONS = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "1000000"] as const

export class TypeTexts {
  readonly #takeName: TakeName
  readonly #bounds: TypeBounds
  readonly #named = new Map<ValueType, string>()
  /** Named types that are still to be written, nearest first, so that a limit omits the farthest ones. */
  readonly #waiting: { readonly type: ValueType; readonly name: string }[] = []

  constructor(takeName: TakeName, bounds: TypeBounds = usualBounds) {
    this.#takeName = takeName
    this.#bounds = bounds
  }

  /** Writes a type for use after a colon. `preferredName` names an object whose schema has no name. */
  text(type: ValueType, preferredName: string): string {
    return this.#text(type, { preferredName, nesting: 0 })
  }

  declarations(): string {
    const texts: string[] = []
    let length = 0
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const isFull = length > this.#bounds.characters
      const text = isFull ? `type ${next.name} = unknown\n` : this.#declare(next)
      length += text.length
      texts.push(text)
    }
    return texts.join("")
  }

  #text(type: ValueType, place: Place): string {
    if (place.nesting > MAX_NESTING) return "unknown"
    if (type.alternatives !== undefined)
      return union(type.alternatives.map((one) => this.#text(one, deeper(place))))
    const { kinds, values } = type
    if (kinds === undefined || kinds.size === 0) return "unknown"
    const literals = literalsOf(values)
    if (literals !== undefined) return union(literals)
    return union([...kinds].map((kind) => this.#kindText(kind, type, place)))
  }

  #kindText(kind: ValueKind, type: ValueType, place: Place): string {
    if (kind === "array") return `${grouped(this.#itemText(type, deeper(place)))}[]`
    return kind === "object" ? this.#objectText(type, place) : kind
  }

  #itemText(type: ValueType, place: Place): string {
    const items = new Set<ValueType>()
    for (const position of POSITIONS) {
      const step = type.step(position)
      if (step.leads === "perhaps") return "unknown"
      if (step.leads === "to") items.add(step.type)
    }
    return items.size === 0 ? "unknown" : union([...items].map((item) => this.#text(item, place)))
  }

  #objectText(type: ValueType, { preferredName, nesting }: Place): string {
    const known = this.#named.get(type)
    if (known !== undefined) return known
    if (type.names().length === 0) return this.#mapText(type, { preferredName, nesting })
    if (this.#named.size >= this.#bounds.types) return "unknown"
    const name = this.#takeName(type.label ?? preferredName)
    this.#named.set(type, name)
    this.#waiting.push({ type, name })
    return name
  }

  #mapText(type: ValueType, place: Place): string {
    const rest = type.step(ANY_NAME)
    if (rest.leads === "nowhere") return "{}"
    return `{ [name: string]: ${rest.leads === "to" ? this.#text(rest.type, deeper(place)) : "unknown"} }`
  }

  #declare({ type, name }: { readonly type: ValueType; readonly name: string }): string {
    const required = new Set(type.required())
    const names = type.names()
    const lines = names.flatMap((property) => {
      if (property.length > MAX_NAME) return []
      const step = type.step(property)
      if (step.leads === "nowhere") return []
      const isCertain = step.leads === "to" && required.has(property)
      const text = step.leads === "to" ? this.text(step.type, `${name} ${property}`) : "unknown"
      return [`  ${propertyName(property)}${isCertain ? "" : "?"}: ${text}\n`]
    })
    const mayHaveOthers = type.step(ANY_NAME).leads !== "nowhere" || names.length >= MAX_NAMES
    if (mayHaveOthers || names.some((property) => property.length > MAX_NAME))
      lines.push(`  [name: string]: unknown\n`)
    return `interface ${name} {\n${lines.join("")}}\n`
  }
}

interface Place {
  readonly preferredName: string
  readonly nesting: number
}

const deeper = ({ preferredName, nesting }: Place): Place => ({ preferredName, nesting: nesting + 1 })

function union(texts: readonly string[]): string {
  const distinct = [...new Set(texts)]
  return distinct.length === 0 || distinct.includes("unknown") ? "unknown" : distinct.join(" | ")
}

const grouped = (text: string): string => (text.includes(" ") ? `(${text})` : text)

function literalsOf(values: readonly JsonValue[] | undefined): readonly string[] | undefined {
  if (values === undefined || values.length === 0 || values.length > MAX_VALUES) return undefined
  const texts = values.flatMap((value) => literalText(value) ?? [])
  return texts.length === values.length ? texts : undefined
}

function literalText(value: JsonValue): string | undefined {
  if (typeof value === "string") return value.length > MAX_NAME ? undefined : quoteLiteral(value)
  // A double can't represent every integer, so only a safe one becomes a literal type.
  if (typeof value === "number") return Number.isSafeInteger(value) ? String(value) : undefined
  return value === null || typeof value === "boolean" ? String(value) : undefined
}

export const quoteLiteral = (text: string): string =>
  // Some tools treat these characters as line ends.
  JSON.stringify(text).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")

export const propertyName = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoteLiteral(name)

/** Writes a template literal type: `ship-${string}`. */
export const templateType = (pieces: readonly string[]): string =>
  `\`${pieces
    .map((piece) =>
      quoteLiteral(piece)
        .slice(1, -1)
        .replaceAll('\\"', '"')
        .replace(/`|\$(?=\{)/g, "\\$&"),
    )
    .join("${string}")}\``

const MAX_TYPE_NAME = 60

export type TakeName = (preferredName: string) => string

/** Returns a function that creates unique type names. They also differ from `names`. */
export function createTypeNames(names: readonly string[]): TakeName {
  const taken = new Set(names)
  return (preferredName) => {
    const words = preferredName.split(/[^A-Za-z0-9]+/).filter((word) => word !== "")
    const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")
    const base = (/^[A-Z]/.test(joined) ? joined : `Type${joined}`).slice(0, MAX_TYPE_NAME)
    let name = base
    for (let count = 2; taken.has(name); count++) name = `${base}${count}`
    taken.add(name)
    return name
  }
}
