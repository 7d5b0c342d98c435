// The vocabulary in which a file format is defined once: checks, JSON Schema and docs are made from it.

import type { JsonValue } from "../json/value.ts"
import type { ProblemCode } from "../problems.ts"

/** What a custom check of a string or a key says against it. */
export interface Objection {
  readonly code: ProblemCode
  readonly message: string
  readonly hint?: string | undefined
}

/** What JSON Schema can say of a text. */
export interface TextPattern {
  readonly pattern?: string
  /** What the pattern asks for, in words. */
  readonly expected?: string
}

/** What is wrong with a text. */
export interface TextCheck extends TextPattern {
  (text: string): Objection | undefined
}

/**
 * A check that is its pattern: what matches passes, and `explain` says of everything else what is wrong with it. The pattern
 * is read with the flag `u` and uses what every regular expression of JSON Schema knows.
 *
 *     const word = textCheck(/^[a-z]+$/u, "a word", (text) => ({ code: "field-value", message: `${text} is no word` }))
 */
export function textCheck(
  pattern: RegExp,
  expected: string,
  explain: (text: string) => Objection,
): TextCheck {
  const check = (text: string): Objection | undefined => (pattern.test(text) ? undefined : explain(text))
  return Object.assign(check, { pattern: pattern.source.replaceAll("\\/", "/"), expected })
}

/** The definition of a value of type `T`. */
export type Shape<T = unknown> = AnyShape & { readonly "~type"?: T }

type AnyShape =
  | StringShape
  | NumberShape
  | { readonly is: "boolean" }
  | { readonly is: "any" }
  | { readonly is: "null" }
  | EitherShape
  | ScalarShape
  | EnumShape
  | VersionShape
  | ArrayShape
  | MapShape
  | ObjectShape
  | VariantShape

export interface StringShape {
  readonly is: "string"
  readonly check?: TextCheck
  /** A pattern that editors check by, where more than the text itself decides and the shape leaves the check to others. */
  readonly editorPattern?: TextPattern
  /** What a message expects in place of another type: "a string" without it. */
  readonly expected?: string
}

type ScalarType = "string" | "number" | "boolean"

/** A string, a number or a boolean, as `types` allow, or null. */
export interface ScalarShape {
  readonly is: "scalar"
  readonly types: readonly ScalarType[]
  /** Says what is wrong with a value of another type; without it that is `field-type`. */
  readonly explain?: (value: JsonValue) => Objection
}

/** A value of one of several shapes, which take values of different JSON types. */
export interface EitherShape {
  readonly is: "either"
  readonly of: readonly Shape[]
  /** What a message expects in place of another type. */
  readonly expected: string
}

export interface NumberShape {
  readonly is: "number"
  readonly integer?: boolean
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
}

export interface EnumShape {
  readonly is: "enum"
  readonly values: readonly string[]
  /** A sentence per value, in their order. */
  readonly summaries?: readonly string[]
}

/** The number 1, with a code of its own. */
export interface VersionShape {
  readonly is: "version"
}

export interface ArrayShape {
  readonly is: "array"
  readonly items: () => Shape
}

export interface MapShape {
  readonly is: "map"
  readonly values: Shape
  readonly checkKey?: TextCheck
}

/** A field whose value is of type `T`; `R` says whether it must be there. */
export interface Field<T = unknown, R extends boolean = boolean> {
  readonly shape: Shape<T>
  readonly required: R
  readonly summary: string
  /** What counts where the field is not given. */
  readonly default?: JsonValue
  /** Why the field should not be used, although it may: editors strike it out and do not offer it. */
  readonly deprecated?: string
}

export interface ObjectShape {
  readonly is: "object"
  readonly fields: Readonly<Record<string, Field>>
  readonly rules: readonly Rule[]
  /** What keys are that no field names; `field-unknown` without it. */
  readonly others?: OtherKeys
  /** What a message expects in place of another type: "an object" without it. */
  readonly expected?: string
}

export type OtherKeys =
  /** Values of one shape. */
  | {
      readonly are: "values"
      readonly shape: Shape
      readonly summary: string
      readonly checkKey?: TextCheck
    }
  /** Accepted with a warning; `read` are the keys that are not. */
  | { readonly are: "ignored"; readonly read: readonly string[] }
  | { readonly are: "refused"; readonly explain: (key: string) => Objection }

/** An object whose `tag` field says which of several shapes it has. */
export interface VariantShape {
  readonly is: "variant"
  /** What one of them is called. */
  readonly name: string
  readonly tag: string
  readonly variants: Readonly<Record<string, ObjectShape>>
  /** A sentence per variant. */
  readonly summaries: Readonly<Record<string, string>>
}

/** The type of the values that a shape describes. */
export type TypeOf<S> = S extends { readonly "~type"?: infer T } ? Exclude<T, undefined> : never

/** What holds between the fields of one object. */
export type Rule =
  | { readonly rule: "exactlyOne"; readonly of: readonly [string, string] }
  | { readonly rule: "anyOf"; readonly of: readonly string[] }
  | {
      /** Exactly one of two fields, the second of which has a companion: both or neither of these two. */
      readonly rule: "exactlyOneWith"
      readonly of: readonly [string, string]
      readonly companion: string
      /** Why the companion does not go with the first field. */
      readonly because: string
    }
  | {
      /** Fields that belong to some values of an enum field alone. */
      readonly rule: "byValue"
      readonly field: string
      readonly cases: Readonly<
        Record<
          string,
          { requires: readonly string[]; allows: readonly string[]; exactlyOne?: readonly [string, string] }
        >
      >
    }
  | {
      /** A field's value is of the type that another field names, or null. */
      readonly rule: "typedBy"
      readonly field: string
      readonly by: string
      readonly types: readonly ScalarType[]
      /** `owner` is the key under which the whole object stands. */
      readonly explain: (value: JsonValue, type: string, owner: string) => Objection
    }
  | {
      readonly rule: "requiredWhen"
      readonly field: string
      readonly when: string
      readonly isOneOf: readonly string[]
    }

/** A definition per field of `T`, of the same type, and required exactly where `T` requires it. */
type FieldsOf<T> = {
  readonly [K in keyof T]-?: object extends Pick<T, K>
    ? Field<Exclude<T[K], undefined>, false>
    : Field<T[K], true>
}

export const string = (check?: TextCheck, more: Omit<StringShape, "is" | "check"> = {}): Shape<string> =>
  check ? { is: "string", check, ...more } : { is: "string", ...more }
export const boolean: Shape<boolean> = { is: "boolean" }
export const nothing: Shape<null> = { is: "null" }
/** `expected` is what a message says in place of another type: `a text or null`. */
export const either = <const S extends readonly Shape[]>(
  expected: string,
  ...of: S
): Shape<TypeOf<S[number]>> => ({
  is: "either",
  of,
  expected,
})
export const any: Shape<JsonValue> = { is: "any" }
export const version: Shape<1> = { is: "version" }
/** A whole number is at most what a double holds exactly. */
export const number = (bounds: Omit<NumberShape, "is"> = {}): Shape<number> => ({
  is: "number",
  ...(bounds.integer === true ? { maximum: Number.MAX_SAFE_INTEGER } : {}),
  ...bounds,
})
export const enumOf = <const V extends readonly string[]>(...values: V): Shape<V[number]> => ({
  is: "enum",
  values,
})
/** An enum whose values have a sentence each. */
export const describedEnum = <V extends string>(summaries: Readonly<Record<V, string>>): Shape<V> => ({
  is: "enum",
  values: Object.keys(summaries),
  summaries: Object.values<string>(summaries),
})
export const scalar = (
  types: ScalarShape["types"],
  explain?: ScalarShape["explain"],
): Shape<string | number | bigint | boolean | null> =>
  explain ? { is: "scalar", types, explain } : { is: "scalar", types }
export const array = <T>(items: () => Shape<T>): Shape<readonly T[]> => ({ is: "array", items })
export const map = <T>(values: Shape<T>, checkKey?: TextCheck): Shape<Readonly<Record<string, T>>> =>
  checkKey ? { is: "map", values, checkKey } : { is: "map", values }

export const required = <T>(shape: Shape<T>, summary: string): Field<T, true> => ({
  shape,
  required: true,
  summary,
})
/** `fallback` is the default: what counts where the field is not given. */
export const optional = <T>(shape: Shape<T>, summary: string, fallback?: JsonValue): Field<T, false> =>
  fallback === undefined
    ? { shape, required: false, summary }
    : { shape, required: false, summary, default: fallback }

/** An object of exactly these fields: the compiler names a field that `T` and the definition do not agree on. */
export const object = <T>(fields: FieldsOf<T>, ...rules: Rule[]): ObjectShape & { readonly "~type"?: T } => ({
  is: "object",
  fields,
  rules,
})

export const variant = <T>(parts: Omit<VariantShape, "is">): Shape<T> => ({ is: "variant", ...parts })

/** Milliseconds that a timer can wait: `setTimeout` fires at once from 2^31 on. */
const MAX_TIMER_MS = 2_147_483_647

export const milliseconds = (exclusiveMinimum: boolean): Shape<number> =>
  exclusiveMinimum
    ? number({ exclusiveMinimum: 0, maximum: MAX_TIMER_MS })
    : number({ minimum: 0, maximum: MAX_TIMER_MS })
