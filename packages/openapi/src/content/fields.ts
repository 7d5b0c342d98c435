// The fields of a form or a multipart body, and the values that they may stand for.

import {
  getOrCreate,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  kindOf,
  memberType,
  parseJson,
  stringifyJson,
  type ValueType,
} from "@callsheet/format"
import { scalarReadings } from "../schema/validate/text-readings.ts"

export type FieldValue =
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "json"; readonly value: JsonValue }
  | { readonly is: "file" }

export type Fields = ReadonlyMap<string, readonly FieldValue[]>

/** Adds a value to the field, which may repeat. */
export const addField = (fields: Map<string, FieldValue[]>, name: string, value: FieldValue): void =>
  void getOrCreate(fields, name, () => []).push(value)

export function formFields(text: string): Fields {
  const fields = new Map<string, FieldValue[]>()
  for (const [name, value] of new URLSearchParams(text)) addField(fields, name, { is: "text", text: value })
  return fields
}

/** Reads a multipart body as fields. An array becomes a repeated field. An object is a file or JSON. */
export function multipartFields(body: JsonObject): Fields {
  const fields = new Map<string, FieldValue[]>()
  for (const [name, field] of Object.entries(body))
    for (const value of isJsonArray(field) ? field : [field]) addField(fields, name, partOf(value))
  return fields
}

function partOf(value: JsonValue): FieldValue {
  if (typeof value === "string") return { is: "text", text: value }
  if (typeof value !== "object" || value === null) return { is: "text", text: stringifyJson(value) }
  return isJsonObject(value) && typeof value["file"] === "string" ? { is: "file" } : { is: "json", value }
}

const placeholder = ""

export interface ReadFields {
  /** The objects that the fields may stand for, likeliest first. */
  readonly readings: readonly JsonObject[]
  /** The fields that were sent but can't be read. */
  readonly unread: ReadonlySet<string>
  /** The unread fields about which the schema says more than that they are files. */
  readonly unchecked: ReadonlySet<string>
}

export function readFields(fields: Fields, type: ValueType): ReadFields {
  const unread = new Set<string>()
  const unchecked = new Set<string>()
  const names = new Set(type.names())
  const read = (isPacked: boolean): JsonObject =>
    Object.fromEntries(
      [...fields].map(([name, values]) => {
        // `address[street]` and `tags[]` are common notations for a member of an object or a list.
        const base = name.slice(0, Math.max(0, name.indexOf("[")))
        const known = names.has(base) && !names.has(name) ? base : name
        const member = memberType(type, name)
        const value = known === name ? readField(values, member, isPacked) : undefined
        if (value === undefined) {
          unread.add(known)
          if (known !== name || !areFiles(values, member)) unchecked.add(known)
        }
        return [known, value ?? placeholder]
      }),
    )
  return { readings: [read(false), read(true)], unread, unchecked }
}

/** Returns whether the values are files and the schema describes files, about whose content it says nothing else. */
function areFiles(values: readonly FieldValue[], type: ValueType | undefined): boolean {
  if (!values.every(({ is }) => is === "file")) return false
  const item = type?.kinds?.has("array") === true ? memberType(type, "0") : type
  return item?.kinds === undefined || item.kinds.has("string")
}

/** Reads a field. If `isPacked`, one string contains all items of a list, as JSON or with delimiters. */
function readField(values: readonly FieldValue[], type: ValueType | undefined, isPacked: boolean) {
  if (values.some(({ is }) => is === "file")) return undefined
  const isList = type?.kinds?.has("array") === true
  const only = values.length === 1 ? values[0] : undefined
  if (!isList && only !== undefined) return readOne(only, type, isPacked)
  const texts = isList && isPacked && only?.is === "text" ? unpack(only.text) : undefined
  const items = (texts ?? values).map((value, index) =>
    readOne(value, type && memberType(type, String(index)), isPacked),
  )
  return items.includes(undefined) ? undefined : (items as JsonValue[])
}

/** The delimiters of the styles in 3.x and of `collectionFormat` in 2.0. */
const delimiters = [",", "|", "\t", " "]

function unpack(text: string): readonly FieldValue[] {
  const parsed = text.startsWith("[") ? parseJson(text) : undefined
  if (parsed?.ok === true && isJsonArray(parsed.value))
    return parsed.value.map((value) => ({ is: "json", value }))
  const delimiter = delimiters.find((one) => text.includes(one)) ?? ","
  return text.split(delimiter).map((item) => ({ is: "text", text: item }))
}

function readOne(value: FieldValue, type: ValueType | undefined, isLast: boolean): JsonValue | undefined {
  if (value.is === "file") return undefined
  const kinds = type?.kinds
  if (value.is === "json") {
    const isWanted = kinds === undefined || kinds.has(kindOf(value.value))
    return isWanted || !kinds.has("string") ? value.value : stringifyJson(value.value)
  }
  if (kinds?.has("object") === true || kinds?.has("array") === true) {
    const parsed = parseJson(value.text)
    if (parsed.ok && typeof parsed.value === "object") return parsed.value
    // Only the server knows how this value is encoded.
    if (kinds.size === 1) return undefined
  }
  return scalarReadings(value.text, { kinds }).at(isLast ? -1 : 0)
}
