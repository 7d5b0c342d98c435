// The value of a form -> its fields in order, and those as `application/x-www-form-urlencoded`.

import {
  getOrCreate,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memo,
  ownOf,
  stringifyJson,
  matchMediaType,
  toText,
} from "@callsheet/format"
import { type MediaType, requestBodyOf } from "../document/content.ts"
import { bodyKindOf } from "../document/media-type.ts"
import type { Operation } from "../document/operations.ts"
import type { Part } from "../document/part.ts"
import { rawParametersOf, styleOf, swaggerParameterParts } from "../document/swagger.ts"
import { asItIs, encode, encodeForm, encodeReserved } from "./percent.ts"
import { delimiterOf, type Pair, spreadNamed, type Style } from "./spread-value.ts"

export interface FormField {
  /** As it is, or percent-encoded where `text` is. */
  readonly name: string
  readonly value: JsonValue
  /** What a style makes of it, in the form it is sent. */
  readonly text?: string | undefined
  readonly encoding?: FieldEncoding | undefined
}

const none: FieldEncodings = new Map()

/** The fields of a form; a list repeats its name by default. `parts` are not percent-encoded; no style takes `isWhole` values apart. */
export function* formFields(
  value: JsonObject,
  encodings: FieldEncodings | undefined,
  as: { readonly parts: boolean; readonly isWhole?: (value: JsonValue) => boolean },
): Generator<FormField> {
  for (const [name, field] of Object.entries(value)) {
    const encoding = (encodings ?? none).get(name)
    const style = encoding?.style
    const items = isJsonArray(field) ? field : [field]
    // A list has no form as a `deepObject`, and a file none in any style.
    const isOutOfStyle =
      items.some((item) => as.isWhole?.(item)) || (style?.style === "deepObject" && isJsonArray(field))
    if (style !== undefined && !isOutOfStyle)
      for (const [own, text] of styledPairs(name, field, { style, parts: as.parts }))
        yield { name: own, value: text, text, encoding }
    else for (const item of items) yield { name, value: item, encoding }
  }
}

function styledPairs(
  name: string,
  value: JsonValue,
  { style: named, parts }: { readonly style: FieldStyle; readonly parts: boolean },
): readonly Pair[] {
  const { style, explode, allowReserved, inner = [] } = named
  const encodeName = parts ? asItIs : encode
  const encodeValue = parts ? asItIs : allowReserved ? encodeReserved : encode
  return isJsonArray(value) || isJsonObject(value)
    ? spreadNamed(value, { name, style, explode, inner, encode: encodeValue, encodeName })
    : [[encodeName(name), encodeValue(toText(value))]]
}

/** A form as text. Throws a URIError for half of a surrogate pair. */
export function formText(value: JsonObject, encodings: FieldEncodings | undefined): string {
  const pairs = [...formFields(value, encodings, { parts: false })].map((field) =>
    field.text === undefined
      ? `${encodeForm(field.name)}=${encodeForm(fieldText(field))}`
      : `${field.name}=${field.text}`,
  )
  return pairs.join("&")
}

/** The text of a field's value: JSON under a JSON type; else strings as they are, and all others as JSON. */
export function fieldText({ value, text, encoding }: FormField): string {
  if (text !== undefined) return text
  const type = encoding === undefined ? undefined : contentTypeFor(value, encoding.contentTypes)
  return type !== undefined && bodyKindOf(type) === "json" ? stringifyJson(value) : toText(value)
}

/** Which of the documented types a value is of: one of JSON where it is a list or an object; of a file, that of its name. */
export function contentTypeFor(
  value: JsonValue,
  documented: readonly string[],
  filename?: string,
): string | undefined {
  const types = documented.filter((type) => !type.includes("*"))
  const isJson = (type: string): boolean => bodyKindOf(type) === "json"
  if (filename !== undefined) return types.find((type) => isOfName(type, filename)) ?? types[0]
  const isStructured = typeof value === "object" && value !== null
  return types.find((type) => isJson(type) === isStructured) ?? types[0]
}

const otherEndings = { jpeg: "jpg", plain: "txt", "svg+xml": "svg", tiff: "tif" }

/** `photo.jpg` and `photo.jpeg` are `image/jpeg`. */
function isOfName(type: string, filename: string): boolean {
  const subtype = /^[^;/]*\/([^;/]*)/.exec(type)?.[1]?.trim().toLowerCase() ?? ""
  const ending = filename.slice(filename.lastIndexOf(".") + 1).toLowerCase()
  return ending === subtype || ending === ownOf(otherEndings, subtype)
}

type FieldStyle = Style & { readonly allowReserved: boolean }

interface FieldEncoding {
  /** Written as a query parameter is; then no content type counts. */
  readonly style?: FieldStyle | undefined
  readonly contentTypes: readonly string[]
  /** Headers of its part that can only have one value. */
  readonly headers: readonly (readonly [name: string, value: string])[]
}

export type FieldEncodings = ReadonlyMap<string, FieldEncoding>

const encodingsByType = memo((_: Operation) => new Map<string, FieldEncodings>())

/** The encodings of a request body that is sent as a media type; those of fields that say nothing are left out. */
export const fieldEncodings = (operation: Operation, mediaType: string): FieldEncodings =>
  getOrCreate(encodingsByType(operation), mediaType, () => read(operation, mediaType))

function read(operation: Operation, mediaType: string): FieldEncodings {
  if (operation.isSwagger) return swaggerFieldEncodings(operation)
  const media = matchMediaType(requestBodyOf(operation)?.content ?? [], mediaType)
  return media === undefined ? none : encodingsOf(media)
}

export const encodingsOf = ({ value }: MediaType): FieldEncodings =>
  new Map(value?.entries("encoding").map(([name, part]) => [name, readEncoding(part)]))

function readEncoding(encoding: Part): FieldEncoding {
  return {
    style: readStyle(encoding),
    contentTypes: (encoding.text("contentType") ?? "")
      .split(",")
      .map((type) => type.trim())
      .filter((type) => sendable.test(type)),
    headers: fixedHeaders(encoding),
  }
}

/** What may stand in the head of a part: no line break above all. */
const sendable = /^[\x20-\x7e]+$/

/** One of these fields is as good as all (3.2.0, "Fixed Fields for RFC6570-style Serialization"). */
function readStyle(encoding: Part): FieldEncoding["style"] {
  const explode = encoding.member("explode")
  const allowReserved = encoding.member("allowReserved")
  const named = encoding.text("style")
  if (named === undefined && typeof explode !== "boolean" && typeof allowReserved !== "boolean")
    return undefined
  const style = named ?? "form"
  return {
    style,
    explode: typeof explode === "boolean" ? explode : style === "form",
    allowReserved: allowReserved === true,
  }
}

/** Nothing is made up: a header goes along where its schema leaves no choice. */
function fixedHeaders(encoding: Part): FieldEncoding["headers"] {
  return encoding.entries("headers").flatMap(([name, raw]) => {
    if (name.toLowerCase() === "content-type") return []
    const schema = raw.dereference()?.inside("schema")?.dereference()
    const values = schema?.list("enum") ?? []
    const only = schema?.member("const") ?? (values.length === 1 ? values[0] : undefined)
    if (only === undefined || only === null || !/^[\w-]+$/.test(name)) return []
    const text = toText(only)
    return sendable.test(text) ? [[name, text] as const] : []
  })
}

function swaggerFieldEncodings(operation: Operation): FieldEncodings {
  const fields = rawParametersOf(operation).filter(
    (field) => field.text("in") === "formData" && field.text("type") === "array",
  )
  return new Map(
    fields.map((field) => {
      const { style, explode } = swaggerParameterParts(field, "query")
      const written = { style, explode, inner: swaggerInnerDelimiters(field), allowReserved: false }
      return [field.text("name") ?? "", { style: written, contentTypes: [], headers: [] }]
    }),
  )
}

/** What stands between the items of lists in lists, from the outer to the inner ones; `multi` counts as `csv` there. */
export function swaggerInnerDelimiters(schema: Part): readonly string[] {
  const found: string[] = []
  let items = schema.inside("items")
  while (items?.text("type") === "array" && found.length < MAX_LISTS) {
    found.push(delimiterOf(styleOf(items.text("collectionFormat")) ?? "simple"))
    items = items.inside("items")
  }
  return found
}

/** Lists of lists beyond this depth are not read. */
const MAX_LISTS = 10
