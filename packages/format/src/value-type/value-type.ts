// What a value may be, as far as it is known before a run. Lazy: the schemas behind it may refer to themselves.

import { isJsonArray, isJsonObject, ownOf, type JsonValue } from "../json/value.ts"
import { once } from "../memo.ts"
import { isArrayIndex } from "../workflow/path.ts"

export type ValueKind = "null" | "boolean" | "number" | "string" | "array" | "object"

export interface ValueType {
  /** The kinds that the value may be of; undefined where nothing is known of it. */
  readonly kinds: ReadonlySet<ValueKind> | undefined
  /** The only values that it may have, where these are known: an enum, a literal. */
  readonly values?: readonly JsonValue[] | undefined
  readonly step: (segment: string) => TypeStep
  /** The names that a step may have, for suggestions: those of documented properties. */
  readonly names: () => readonly string[]
  readonly required: () => readonly string[]
  /** What people call it: the name of its schema in the document. */
  readonly label?: string
  /** What a document says of it for people alone. */
  readonly notes?: () => ValueNotes
  /** The types of which one holds, where that is how the type was made. */
  readonly alternatives?: readonly ValueType[]
}

export interface ValueNotes {
  readonly description?: string
  /** `date-time`, `int64`. */
  readonly format?: string
  readonly isInteger?: boolean
}

/** Stands for a name that nobody lists: a step of it leads to what all such names lead to. */
export const ANY_NAME = "\u0000"

export type TypeStep =
  | { readonly leads: "to"; readonly type: ValueType }
  /** Nothing documented is there, and nothing says that nothing may be: an open schema, one of several. */
  | { readonly leads: "perhaps" }
  /** Nothing that the documents allow is there. */
  | { readonly leads: "nowhere" }

const none = (): readonly never[] => []
const nowhere: TypeStep = { leads: "nowhere" }

const withoutParts = { step: () => nowhere, names: none, required: none }

/** Nothing is known of such a value, nor of anything inside it. */
export const unknownType: ValueType = {
  ...withoutParts,
  kinds: undefined,
  step: () => ({ leads: "to", type: unknownType }),
}

/** What a step leads to for certain; undefined where it may lead elsewhere, or nowhere. */
export function memberType(type: Pick<ValueType, "step">, name: string): ValueType | undefined {
  const step = type.step(name)
  return step.leads === "to" ? step.type : undefined
}

export const scalarType = (...kinds: readonly Exclude<ValueKind, "array" | "object">[]): ValueType => ({
  ...withoutParts,
  kinds: new Set(kinds),
})

export const arrayType = (items: ValueType): ValueType => ({
  ...withoutParts,
  kinds: new Set(["array"]),
  step: (segment) => (isArrayIndex(segment) ? { leads: "to", type: items } : nowhere),
})

/** An object of exactly these properties, each of which it has. */
export const objectType = (properties: Readonly<Record<string, ValueType>>): ValueType => ({
  kinds: new Set(["object"]),
  step: (segment) => {
    const type = ownOf(properties, segment)
    return type === undefined ? nowhere : { leads: "to", type }
  },
  names: () => Object.keys(properties),
  required: () => Object.keys(properties),
})

const toLiteral = (part: JsonValue | undefined): TypeStep =>
  part === undefined ? nowhere : { leads: "to", type: literalType(part) }

export function literalType(value: JsonValue): ValueType {
  const own = { kinds: new Set([kindOf(value)]), values: [value] }
  if (isJsonArray(value))
    return {
      ...withoutParts,
      ...own,
      step: (segment) => toLiteral(isArrayIndex(segment) ? value[Number(segment)] : undefined),
    }
  if (!isJsonObject(value)) return { ...withoutParts, ...own }
  const names = (): readonly string[] => Object.keys(value)
  return { ...own, step: (segment) => toLiteral(ownOf(value, segment)), names, required: names }
}

/** A value that is of one of several types; of no types it is unknown. */
export function unionType(types: readonly ValueType[]): ValueType {
  const [first, ...others] = new Set(types)
  if (first === undefined) return unknownType
  if (others.length === 0) return first
  const all = [first, ...others]
  const kinds = once(() => unite(all))
  return {
    alternatives: all,
    // Asked for when they are needed: a step need not look at the schemas that it passes.
    get kinds() {
      return kinds()
    },
    get values() {
      const values = all.map((type) => type.values)
      return values.includes(undefined) ? undefined : values.flatMap((list) => list ?? [])
    },
    step: (segment) => uniteSteps(all.map((type) => type.step(segment))),
    names: () => [...new Set(all.flatMap((type) => type.names()))],
    required: () =>
      all
        .map((type) => type.required())
        .reduce((common, names) => common.filter((name) => names.includes(name))),
  }
}

function unite(types: readonly ValueType[]): ReadonlySet<ValueKind> | undefined {
  const kinds = new Set<ValueKind>()
  for (const type of types) {
    if (type.kinds === undefined) return undefined
    for (const kind of type.kinds) kinds.add(kind)
  }
  return kinds
}

/** Joins steps any of which may be taken. If one may lead to something unknown, nothing is known of the whole. */
export function uniteSteps(steps: readonly TypeStep[]): TypeStep {
  const isPerhaps = steps.some(({ leads }) => leads === "perhaps")
  const types = steps.flatMap((step) => (step.leads === "to" ? [step.type] : []))
  if (types.length === 0) return isPerhaps ? { leads: "perhaps" } : nowhere
  return { leads: "to", type: unionType(isPerhaps ? [...types, unknownType] : types) }
}

export function kindOf(value: JsonValue): ValueKind {
  if (value === null) return "null"
  if (isJsonArray(value)) return "array"
  return typeof value === "bigint" ? "number" : (typeof value as ValueKind)
}
