// Normalized schemas: callsheet's own keywords, and the location of each schema in the document.

import type { JsonValue } from "@callsheet/format"

export type PlainSchema = PlainObject | boolean

export type PlainObject = Readonly<Record<string, unknown>>

/** Another normalized schema. It is created on first use, because references form cycles. */
export interface SchemaReference {
  readonly schema: () => PlainSchema
}

/** Replaces `$ref`. The keyword's value is a `SchemaReference`. */
export const REFERS_TO = "refersTo"
/** Replaces a broken `$ref`. Every value fails here. The keyword's value is a `BrokenReference`. */
export const LEADS_NOWHERE = "leadsNowhere"

/** Marks a read-only property in a request. No value is valid. */
export const NOT_SENT = "notSent"

/** Marks a discriminator that chooses among schemas elsewhere. The keyword's value is a `Chooser`. */
export const CHOOSES = "chooses"

export type Chooser = (value: JsonValue) => SchemaReference

/** Replaces the schema `false`, because a boolean can't be mapped to its location. */
export const FORBIDS = "forbids"

export interface BrokenReference {
  readonly reference: string
  readonly pointer: string
}

/** Marks alternatives with a discriminator. The keyword's value is an `Alternatives`, with the allowed names. */
export const TELLS_APART = "tellsApart"

export interface Alternatives {
  readonly property: string
  readonly names: readonly string[]
}

const pointers = new WeakMap<object, string>()

/** Returns the location of a normalized schema in the document, in the format of `Located`. */
export const pointerOf = (schema: unknown): string | undefined =>
  typeof schema === "object" && schema !== null ? pointers.get(schema) : undefined

export function placeSchema<T extends PlainSchema>(schema: T, pointer: string): T {
  if (typeof schema === "object") pointers.set(schema, pointer)
  return schema
}

export const addPart = (result: Record<string, unknown>, ...parts: readonly PlainSchema[]): void => {
  result["allOf"] = [...((result["allOf"] as unknown[] | undefined) ?? []), ...parts]
}
