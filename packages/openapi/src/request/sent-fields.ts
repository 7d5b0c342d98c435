// The fields of a form or of a multipart body, as they go out -> the object that they may stand for.

import {
  isJsonArray,
  isJsonObject,
  kindOf,
  memberType,
  parseJson,
  stringifyJson,
  type JsonObject,
  type JsonValue,
  type ValueType,
} from "@callsheet/format"
import { getOrCreate } from "../document/memo.ts"
import { scalarReadings } from "./parameter-readings.ts"

/** One of the values of a field. Nothing is read of a file. */
type FieldValue =
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "json"; readonly value: JsonValue }
  | { readonly is: "file" }

export type Fields = ReadonlyMap<string, readonly FieldValue[]>

export function formFields(bytes: Uint8Array): Fields {
  const fields = new Map<string, FieldValue[]>()
  for (const [name, text] of new URLSearchParams(new TextDecoder().decode(bytes)))
    getOrCreate(fields, name, () => []).push({ is: "text", text })
  return fields
}

/** As the parts are made of a body's value: arrays repeat a name, objects go as JSON or are files. */
export function multipartFields(body: JsonObject): Fields {
  const fields = new Map<string, FieldValue[]>()
  for (const [name, field] of Object.entries(body))
    for (const value of isJsonArray(field) ? field : [field])
      getOrCreate(fields, name, () => []).push(partOf(value))
  return fields
}

function partOf(value: JsonValue): FieldValue {
  if (typeof value === "string") return { is: "text", text: value }
  if (typeof value !== "object" || value === null) return { is: "text", text: stringifyJson(value) }
  return isJsonObject(value) && typeof value["file"] === "string" ? { is: "file" } : { is: "json", value }
}

interface ReadFields {
  /** The body in each way in which it may be read. */
  readonly readings: readonly JsonObject[]
  /** Fields that are there, and of whose value nothing is known. */
  readonly unread: ReadonlySet<string>
}

/** Stands for a value of which nothing is known. */
const placeholder = ""

export function readFields(fields: Fields, type: ValueType): ReadFields {
  const unread = new Set<string>()
  const names = new Set(type.names())
  const read = (isPacked: boolean): JsonObject =>
    Object.fromEntries(
      [...fields].map(([name, values]) => {
        // `address[street]`, `tags[]`: how a member of a list or an object is written by many.
        const base = name.slice(0, Math.max(0, name.indexOf("[")))
        const known = names.has(base) && !names.has(name) ? base : name
        const value = known === name ? readField(values, memberType(type, name), isPacked) : undefined
        if (value === undefined) unread.add(known)
        return [known, value ?? placeholder]
      }),
    )
  return { readings: [read(false), read(true)], unread }
}

/** `isPacked`: a list that came as one text holds its items there, as JSON or between delimiters. */
function readField(
  values: readonly FieldValue[],
  type: ValueType | undefined,
  isPacked: boolean,
): JsonValue | undefined {
  if (values.some(({ is }) => is === "file")) return undefined
  const isList = type?.kinds?.has("array") === true
  const only = values.length === 1 ? values[0] : undefined
  if (!isList && only !== undefined) return readOne(only, type, isPacked)
  const texts = isList && isPacked && only?.is === "text" ? unpack(only.text) : undefined
  const items = (texts ?? values).map((value, index) => readOne(value, itemType(type, index), isPacked))
  return items.includes(undefined) ? undefined : (items as JsonValue[])
}

const itemType = (list: ValueType | undefined, index: number): ValueType | undefined =>
  list === undefined ? undefined : memberType(list, String(index))

/** Of the styles and of 2.0's `collectionFormat`. */
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
    // In another encoding than JSON, which only its server knows.
    if (kinds.size === 1) return undefined
  }
  return scalarReadings(value.text, { kinds }).at(isLast ? -1 : 0)
}
