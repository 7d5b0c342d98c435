// The building blocks that define each file format once. Checks, JSON Schemas and docs are derived from them.

import type { JsonValue } from "../json/value.ts"
import { messages } from "../messages.ts"
import type { Finding } from "../problems.ts"
import { MAX_TIMER_MS } from "../run-option-rows.ts"

export interface TextPattern {
  readonly pattern?: string | undefined
  readonly expected?: string | undefined
}

export interface TextCheck extends TextPattern {
  (text: string): Finding | undefined
}

/**
 * Creates a check from a pattern. `explain` describes the problem with a string that doesn't match. The pattern must
 * have the flag `u` and use only syntax that JSON Schema supports.
 */
export function textCheck(pattern: RegExp, expected: string, explain: (text: string) => Finding): TextCheck {
  const check = (text: string): Finding | undefined => (pattern.test(text) ? undefined : explain(text))
  return Object.assign(check, { pattern: pattern.source.replaceAll("\\/", "/"), expected })
}

export type Shape<T = unknown> = AnyShape & { readonly "~type"?: T }

type AnyShape =
  | StringShape
  | NumberShape
  | { readonly is: "boolean" }
  | { readonly is: "any" }
  | { readonly is: "null" }
  /** One of several shapes with different JSON types. `expected` describes them in messages. */
  | { readonly is: "either"; readonly of: readonly Shape[]; readonly expected: string }
  | ScalarShape
  /** One of several strings. `summaries` has one sentence per value, in the same order. */
  | { readonly is: "enum"; readonly values: readonly string[]; readonly summaries?: readonly string[] }
  /** The number 1. Any other number has its own problem code. */
  | { readonly is: "version" }
  | { readonly is: "array"; readonly items: () => Shape }
  | { readonly is: "map"; readonly values: Shape; readonly checkKey?: TextCheck | undefined }
  | ObjectShape
  | VariantShape

interface StringShape {
  readonly is: "string"
  readonly check?: TextCheck | undefined
  /** A pattern for editors, if the full check needs context. */
  readonly editorPattern?: TextPattern | undefined
  /** The expected type in messages. By default, "a string". */
  readonly expected?: string | undefined
}

type ScalarType = "string" | "number" | "boolean"

export interface ScalarShape {
  readonly is: "scalar"
  readonly types: readonly ScalarType[]
  /** Creates the finding for a value of another type. By default, `field-type`. */
  readonly explain?: ((value: JsonValue) => Finding) | undefined
}

export interface NumberShape {
  readonly is: "number"
  readonly integer?: boolean | undefined
  readonly minimum?: number | undefined
  readonly exclusiveMinimum?: number | undefined
  readonly maximum?: number | undefined
}

/** A field with values of type `T`. `R` is true if the field is required. */
export interface Field<T = unknown, R extends boolean = boolean> {
  readonly shape: Shape<T>
  readonly required: R
  readonly summary: string
  readonly default?: JsonValue | undefined
  /** The reason not to use a deprecated field. Editors strike the field out and don't suggest it. */
  readonly deprecated?: string | undefined
}

export interface DefaultedField<T> extends Field<T, false> {
  readonly default: T & JsonValue
}

export type ObjectShapeOf<T, F = unknown> = ObjectShape & { readonly fields: F; readonly "~type"?: T }

export interface ObjectShape {
  readonly is: "object"
  readonly fields: Readonly<Record<string, Field>>
  readonly rules: readonly Rule[]
  /** The rule for keys that are not in `fields`. By default, they are reported as `field-unknown`. */
  readonly others?: OtherKeys | undefined
  /** The expected type in messages. By default, "an object". */
  readonly expected?: string | undefined
  /** The hint for a list of such objects where only one is possible. */
  readonly onlyOneHint?: string | undefined
  /** The name of its definition in JSON Schemas. Required if the shape contains itself. */
  readonly name?: string | undefined
}

export type OtherKeys =
  | {
      readonly are: "values"
      readonly shape: Shape
      readonly summary: string
      readonly checkKey?: TextCheck | undefined
    }
  /** Other keys are accepted with a warning. `read` lists the keys that have an effect. */
  | { readonly are: "ignored"; readonly read: readonly string[] }
  | { readonly are: "refused"; readonly explain: (key: string) => Finding }

export interface VariantShape {
  readonly is: "variant"
  readonly name: string
  readonly tag: string
  readonly variants: Readonly<Record<string, ObjectShape>>
  readonly summaries: Readonly<Record<string, string>>
}

export type Rule<N extends string = string> =
  | { readonly rule: "exactlyOne"; readonly of: readonly [N, N] }
  | { readonly rule: "anyOf"; readonly of: readonly [N, N] }
  | {
      /** Exactly one of two fields is required. The second one and `companion` must be given together. */
      readonly rule: "exactlyOneWith"
      readonly of: readonly [N, N]
      readonly companion: N
      readonly because: string
    }
  | {
      readonly rule: "byValue"
      readonly field: N
      readonly cases: Readonly<Record<string, ValueCase<N>>>
    }
  | {
      /** A field's value is null or has the type that the field `by` names. */
      readonly rule: "typedBy"
      readonly field: N
      readonly by: N
      readonly types: readonly ScalarType[]
      /** `owner` is the key of the object itself. */
      readonly explain: (value: JsonValue, type: string, owner: string) => Finding
    }
  | {
      readonly rule: "requiredWhen"
      readonly field: N
      readonly when: N
      readonly isOneOf: readonly string[]
    }

interface ValueCase<N extends string> {
  readonly requires: readonly N[]
  readonly allows: readonly N[]
  readonly exactlyOne?: readonly [N, N] | undefined
}

export type TypeOf<S> = S extends { readonly "~type"?: infer T } ? Exclude<T, undefined> : never

type Fields = Readonly<Record<string, Field>>
type ValueOf<F> = F extends Field<infer T> ? T : never
type RequiredNames<F extends Fields> = {
  [K in keyof F]: F[K]["required"] extends true ? K : never
}[keyof F]

type Present<F, N> = { readonly [K in N & keyof F]: ValueOf<F[K]> }
type Optional<F, N> = { readonly [K in N & keyof F]?: ValueOf<F[K]> | undefined }
type Absent<N extends PropertyKey> = { readonly [K in N]?: undefined }
type OneOf<F, A extends PropertyKey, B extends PropertyKey> =
  | (Present<F, A> & Absent<B>)
  | (Present<F, B> & Absent<A>)

/**
 * The type of an object with these fields. Rules about which fields go together make it a union. Each member of the
 * union sets the excluded fields to `undefined`.
 */
type ObjectOf<F extends Fields, R extends readonly unknown[]> = Flat<
  Present<F, Exclude<RequiredNames<F>, RuledNames<R[number]>>> &
    Optional<F, Exclude<keyof F, RequiredNames<F> | RuledNames<R[number]>>> &
    AllOf<F, R>
>

type Flat<T> = T extends unknown ? { [K in keyof T]: T[K] } : never

type AllOf<F, R extends readonly unknown[]> = R extends readonly [infer First, ...infer Rest]
  ? Variants<F, First> & AllOf<F, Rest>
  : unknown

type Pair<A, B> = readonly [A, B]
type Variants<F, R> = R extends {
  rule: "exactlyOne"
  of: Pair<infer A extends string, infer B extends string>
}
  ? OneOf<F, A, B>
  : R extends { rule: "anyOf"; of: Pair<infer A extends string, infer B extends string> }
    ? OneOf<F, A, B> | Present<F, A | B>
    : R extends {
          rule: "exactlyOneWith"
          of: Pair<infer A extends string, infer B extends string>
          companion: infer C extends string
        }
      ? (Present<F, A> & Absent<B | C>) | (Present<F, B | C> & Absent<A>)
      : R extends { rule: "byValue"; field: infer D extends string; cases: infer C }
        ? { [V in keyof C]: CaseOf<F, C[V], NamesOfCase<C[keyof C]>> & { readonly [K in D]: V } }[keyof C]
        : R extends {
              rule: "requiredWhen"
              field: infer N extends keyof F
              when: infer W extends keyof F
              isOneOf: readonly (infer V)[]
            }
          ?
              | (Present<F, N> & { readonly [K in W]: V })
              | (Optional<F, N> & { readonly [K in W]: Exclude<ValueOf<F[K]>, V> })
          : unknown

type CaseOf<F, C, Owned extends string> = Present<F, NamesAt<C, "requires">> &
  Absent<Exclude<Owned, NamesOfCase<C>>> &
  (C extends { exactlyOne: Pair<infer A extends string, infer B extends string> }
    ? OneOf<F, A, B> & Optional<F, Exclude<NamesAt<C, "allows">, A | B>>
    : Optional<F, NamesAt<C, "allows">>)

type NamesAt<C, P extends "requires" | "allows"> = C extends {
  readonly [K in P]: infer N extends readonly string[]
}
  ? N[number]
  : never
type NamesOfCase<C> = NamesAt<C, "requires"> | NamesAt<C, "allows">

type RuledNames<R> = R extends { rule: "exactlyOne" | "anyOf"; of: readonly (infer N)[] }
  ? N
  : R extends { rule: "exactlyOneWith"; of: readonly (infer N)[]; companion: infer C }
    ? N | C
    : R extends { rule: "byValue"; field: infer D; cases: infer C }
      ? D | NamesOfCase<C[keyof C]>
      : R extends { rule: "requiredWhen"; field: infer N; when: infer W }
        ? N | W
        : never

export const string = (check?: TextCheck, more: Omit<StringShape, "is" | "check"> = {}): Shape<string> => ({
  is: "string",
  check,
  ...more,
})
export const boolean: Shape<boolean> = { is: "boolean" }
export const nothing: Shape<null> = { is: "null" }
/** Defines a choice of shapes. `expected` describes them in messages: `a string or null`. */
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
/** Defines a number. A whole number must be in the range that a double represents exactly. */
export const number = (bounds: Omit<NumberShape, "is"> = {}): Shape<number> => ({
  is: "number",
  maximum: bounds.integer === true ? Number.MAX_SAFE_INTEGER : undefined,
  ...bounds,
})
export const enumOf = <const V extends readonly string[]>(...values: V): Shape<V[number]> => ({
  is: "enum",
  values,
})
export const describedEnum = <V extends string>(summaries: Readonly<Record<V, string>>): Shape<V> => ({
  is: "enum",
  values: Object.keys(summaries),
  summaries: Object.values<string>(summaries),
})
export const scalar = (
  types: ScalarShape["types"],
  explain?: ScalarShape["explain"],
): Shape<string | number | bigint | boolean | null> => ({ is: "scalar", types, explain })
export const array = <T>(items: () => Shape<T>): Shape<readonly T[]> => ({ is: "array", items })
export const map = <T>(values: Shape<T>, checkKey?: TextCheck): Shape<Readonly<Record<string, T>>> => ({
  is: "map",
  values,
  checkKey,
})

export const required = <T>(shape: Shape<T>, summary: string): Field<T, true> => ({
  shape,
  required: true,
  summary,
})

export const optional = <T>(shape: Shape<T>, summary: string): Field<T, false> => ({
  shape,
  required: false,
  summary,
})

export const defaulted = <T extends JsonValue>(
  shape: Shape<T>,
  summary: string,
  fallback: NoInfer<T>,
): DefaultedField<T> => ({ ...optional(shape, summary), default: fallback })

/** Defines an object with exactly these fields. Its type follows from the fields and rules. */
export const object = <const F extends Fields, const R extends readonly Rule<Extract<keyof F, string>>[]>(
  fields: F,
  ...rules: R
): ObjectShapeOf<ObjectOf<F, R>, F> => ({ is: "object", fields, rules })

/** Defines an object that may have other members, which a newer version may add. */
export const openObject = <const F extends Fields>(fields: F): ObjectShapeOf<ObjectOf<F, []>, F> => ({
  ...object(fields),
  others: { are: "values", shape: any, summary: "" },
})

/** The latest time that a date can have, in milliseconds since 1970. */
export const MAX_TIME_MS = 8.64e15

const timePattern = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?Z$/

/** A time such as `2026-11-24T12:00:00.000Z`. */
export const isoTime: Shape<string> = string((text) =>
  timePattern.test(text) && !Number.isNaN(Date.parse(text)) ? undefined : messages["field-value"].time(text),
)

export const variant = <T>(parts: Omit<VariantShape, "is">): Shape<T> => ({ is: "variant", ...parts })

export const milliseconds = (exclusiveMinimum: boolean): Shape<number> =>
  exclusiveMinimum
    ? number({ exclusiveMinimum: 0, maximum: MAX_TIMER_MS })
    : number({ minimum: 0, maximum: MAX_TIMER_MS })
