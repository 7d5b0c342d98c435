// Types of values that are known before a run. Lazy, because schemas may refer to themselves.

import { isJsonArray, isJsonObject, ownOf, type JsonValue } from "../json/value.ts"
import { once } from "../memo.ts"
import { isArrayIndex } from "../workflow/path.ts"

export type ValueKind = "null" | "boolean" | "number" | "string" | "array" | "object"

/**
 * The strength of an OpenAPI document's claim about a value: `enforced` if no valid value can contradict the claim,
 * `described` if the schema allows more than it describes.
 */
export type Origin = "described" | "enforced"

export interface ValueType {
  /** The possible kinds, or undefined if the type is unknown. */
  readonly kinds: ReadonlySet<ValueKind> | undefined
  /** The strength of the claim. Set if a document defines `kinds`. */
  readonly origin?: Origin | undefined
  /** The only possible values, if they are known from an enum or a literal. */
  readonly values?: readonly JsonValue[] | undefined
  readonly step: (segment: string) => TypeStep
  readonly names: () => readonly string[]
  readonly required: () => readonly string[]
  /** The name of its schema in the document. */
  readonly label?: string | undefined
  readonly notes?: (() => ValueNotes) | undefined
  /** The members of a union, if the type was built as one. */
  readonly alternatives?: readonly ValueType[] | undefined
}

export interface ValueNotes {
  readonly description?: string | undefined
  /** The schema's `format`, such as `date-time` or `int64`. */
  readonly format?: string | undefined
  readonly isInteger?: boolean
}

/** A placeholder for any name that is not listed. A step into it leads to the type of all unlisted members. */
export const ANY_NAME = "\u0000"

export type TypeStep =
  | { readonly leads: "to"; readonly type: ValueType }
  /** The schema allows the member but doesn't describe it, or only one of several schemas describes it. */
  | { readonly leads: "perhaps" }
  /** No valid value has the member or, depending on `origin`, no document describes it. */
  | { readonly leads: "nowhere"; readonly origin?: Origin | undefined }

const none = (): readonly never[] => []
const nowhere: TypeStep = { leads: "nowhere" }

const withoutParts = { step: () => nowhere, names: none, required: none }

/** The type of an unknown value. Its members are unknown too. */
export const unknownType: ValueType = {
  ...withoutParts,
  kinds: undefined,
  step: () => ({ leads: "to", type: unknownType }),
}

/** Returns the type of a member that is certain to exist, otherwise undefined. */
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

/** Returns the type of an object with exactly these properties, all of them present. */
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

/** Returns the union of types, or the unknown type if the list is empty. */
export function unionType(types: readonly ValueType[]): ValueType {
  const [first, ...others] = new Set(types)
  if (first === undefined) return unknownType
  if (others.length === 0) return first
  const all = [first, ...others]
  const kinds = once(() => uniteKinds(all.map((type) => type.kinds)))
  return {
    alternatives: all,
    // A getter, so that a step doesn't compute the kinds of every schema on its path.
    get kinds() {
      return kinds()
    },
    get values() {
      return uniteValues(all.map((type) => type.values))
    },
    get origin() {
      return weakest(all)
    },
    step: (segment) => uniteSteps(all.map((type) => type.step(segment))),
    names: () => [...new Set(all.flatMap((type) => type.names()))],
    required: () => commonNames(all.map((type) => type.required())),
  }
}

const weakest = (claims: readonly { readonly origin?: Origin | undefined }[]): Origin | undefined =>
  (["described", "enforced"] as const).find((origin) => claims.some((claim) => claim.origin === origin))

// If one of several types is unknown, so is their union.

export function uniteKinds(sets: readonly ValueType["kinds"][]): ValueType["kinds"] {
  return sets.includes(undefined) ? undefined : new Set(sets.flatMap((kinds) => [...(kinds ?? [])]))
}

export function uniteValues(lists: readonly ValueType["values"][]): ValueType["values"] {
  return lists.includes(undefined) ? undefined : lists.flatMap((values) => values ?? [])
}

export const commonNames = (lists: readonly (readonly string[])[]): readonly string[] =>
  lists.reduce((common, names) => common.filter((name) => names.includes(name)))

/** Joins alternative steps. If one of them may lead to something unknown, so may the result. */
export function uniteSteps(steps: readonly TypeStep[]): TypeStep {
  const isPerhaps = steps.some(({ leads }) => leads === "perhaps")
  const types = steps.flatMap((step) => (step.leads === "to" ? [step.type] : []))
  if (types.length === 0)
    return isPerhaps
      ? { leads: "perhaps" }
      : { leads: "nowhere", origin: weakest(steps.filter((step) => step.leads === "nowhere")) }
  return { leads: "to", type: unionType(isPerhaps ? [...types, unknownType] : types) }
}

export function kindOf(value: JsonValue): ValueKind {
  if (value === null) return "null"
  if (isJsonArray(value)) return "array"
  return typeof value === "bigint" ? "number" : (typeof value as ValueKind)
}
