// Schemas as ajv takes them: the keywords of ours that they hold, and where in the document each one stands.

/** Stands for `$ref`; its value is the id of another normalised schema. */
export const REFERS_TO = "refersTo"
/** Stands for a `$ref` that leads nowhere: what comes to it has no verdict. Its value is a `BrokenReference`. */
export const LEADS_NOWHERE = "leadsNowhere"

/** Stands at a read-only property in what a request sends: no value satisfies it. */
export const NOT_SENT = "notSent"

/** Stands for a discriminator that chooses among schemas elsewhere. Its value is a `Chooser`. */
export const CHOOSES = "chooses"

/** Stands for the schema `false` where it is told as such: there a boolean would have no place. */
export const FORBIDS = "forbids"

export interface BrokenReference {
  readonly reference: string
  readonly pointer: string
}

export type PlainSchema = { readonly [keyword: string]: unknown } | boolean

/** Beside alternatives that a discriminator tells apart: what its property may say. Its value is an `Alternatives`. */
export const TELLS_APART = "tellsApart"

export interface Alternatives {
  readonly property: string
  readonly names: readonly string[]
}

const pointers = new WeakMap<object, string>()

/** Where a normalised schema stands in the document, by the same name as `Located` has it. */
export const pointerOf = (schema: unknown): string | undefined =>
  typeof schema === "object" && schema !== null ? pointers.get(schema) : undefined

export function placeSchema<T extends PlainSchema>(schema: T, pointer: string): T {
  if (typeof schema === "object") pointers.set(schema, pointer)
  return schema
}

export const addPart = (result: Record<string, unknown>, ...parts: readonly PlainSchema[]): void => {
  result["allOf"] = [...((result["allOf"] as unknown[] | undefined) ?? []), ...parts]
}
