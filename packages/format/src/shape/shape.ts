// The vocabulary in which a file format is defined once: checks, JSON Schema and docs are made from it.

import type { JsonValue } from "../json/value.ts"
import type { ProblemCode } from "../problems.ts"

/** What a custom check of a string or a key says against it. */
export interface Objection {
  readonly code: ProblemCode
  readonly message: string
  readonly hint?: string | undefined
}

export type TextCheck = (text: string) => Objection | undefined

/** The definition of a value of type `T`. */
export type Shape<T = unknown> = AnyShape & { readonly "~type"?: T }

type AnyShape =
  | StringShape
  | NumberShape
  | { readonly is: "boolean" }
  | { readonly is: "any" }
  | EnumShape
  | VersionShape
  | ArrayShape
  | MapShape
  | ObjectShape
  | VariantShape

export interface StringShape {
  readonly is: "string"
  readonly check?: TextCheck
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

export interface Field {
  readonly shape: Shape
  readonly required: boolean
  readonly summary: string
}

export interface ObjectShape {
  readonly is: "object"
  readonly fields: Readonly<Record<string, Field>>
  readonly rules: readonly Rule[]
}

/** An object whose `tag` field says which of several shapes it has. */
export interface VariantShape {
  readonly is: "variant"
  readonly tag: string
  readonly variants: Readonly<Record<string, ObjectShape>>
}

/** What holds between the fields of one object. */
export type Rule =
  | { readonly rule: "exactlyOne"; readonly of: readonly string[] }
  | { readonly rule: "anyOf"; readonly of: readonly string[] }
  | {
      /** Fields that belong to some values of an enum field alone. */
      readonly rule: "byValue"
      readonly field: string
      readonly cases: Readonly<
        Record<
          string,
          { requires: readonly string[]; allows: readonly string[]; exactlyOne?: readonly string[] }
        >
      >
    }
  | {
      readonly rule: "requiredWhen"
      readonly field: string
      readonly when: string
      readonly isOneOf: readonly string[]
    }

type FieldsOf<T> = { readonly [K in keyof T]-?: Field }

export const string = (check?: TextCheck): Shape<string> =>
  check ? { is: "string", check } : { is: "string" }
export const boolean: Shape<boolean> = { is: "boolean" }
export const any: Shape<JsonValue> = { is: "any" }
export const version: Shape<1> = { is: "version" }
export const number = (bounds: Omit<NumberShape, "is"> = {}): Shape<number> => ({ is: "number", ...bounds })
export const enumOf = <const V extends readonly string[]>(...values: V): Shape<V[number]> => ({
  is: "enum",
  values,
})
export const array = <T>(items: () => Shape<T>): Shape<readonly T[]> => ({ is: "array", items })
export const map = <T>(values: Shape<T>, checkKey?: TextCheck): Shape<Readonly<Record<string, T>>> =>
  checkKey ? { is: "map", values, checkKey } : { is: "map", values }

export const required = (shape: Shape, summary: string): Field => ({ shape, required: true, summary })
export const optional = (shape: Shape, summary: string): Field => ({ shape, required: false, summary })

/** An object of exactly these fields; the compiler names a field of `T` that the definition lacks. */
export const object = <T>(fields: FieldsOf<T>, ...rules: Rule[]): ObjectShape & { readonly "~type"?: T } => ({
  is: "object",
  fields,
  rules,
})

export const variant = <T>(tag: string, variants: Readonly<Record<string, ObjectShape>>): Shape<T> => ({
  is: "variant",
  tag,
  variants,
})

/** Milliseconds that a timer can wait: `setTimeout` fires at once from 2^31 on. */
export const MAX_TIMER_MS = 2_147_483_647

export const milliseconds = (exclusiveMinimum: boolean): Shape<number> =>
  exclusiveMinimum
    ? number({ exclusiveMinimum: 0, maximum: MAX_TIMER_MS })
    : number({ minimum: 0, maximum: MAX_TIMER_MS })
