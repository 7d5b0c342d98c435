// Converts the value of a form to fields, in order, and to `application/x-www-form-urlencoded`.

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
import { requestBodyOf, bodyKindOf, type MediaType } from "../document/content.ts"
import type { Operation } from "../document/operations.ts"
import type { Part } from "../document/part.ts"
import { rawParametersOf, styleOf, swaggerParameterParts } from "../document/swagger.ts"
import { asItIs, encode, encodeForm, encodeReserved } from "./percent.ts"
import { delimiterOf, type Pair, spreadNamed, type Style } from "./spread-value.ts"

export interface FormField {
  /** The name. Percent-encoded if `text` is. */
  readonly name: string
  readonly value: JsonValue
  /** The finished text, if a style produced it. */
  readonly text?: string | undefined
  readonly encoding?: FieldEncoding | undefined
}

const none: FieldEncodings = new Map()

/**
 * Yields a form's fields in order. By default, a list becomes a repeated field. Doesn't encode `parts`, and doesn't
 * split `isWhole` values.
 */
export function* formFields(
  value: JsonObject,
  encodings: FieldEncodings | undefined,
  as: { readonly parts: boolean; readonly isWhole?: (value: JsonValue) => boolean },
): Generator<FormField> {
  for (const [name, field] of Object.entries(value)) {
    const encoding = (encodings ?? none).get(name)
    const style = encoding?.style
    const items = isJsonArray(field) ? field : [field]
    // `deepObject` has no notation for lists, and no style has one for files.
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

/** Formats a form as text. Throws a URIError for an unpaired surrogate. */
export function formText(value: JsonObject, encodings: FieldEncodings | undefined): string {
  const pairs = [...formFields(value, encodings, { parts: false })].map((field) =>
    field.text === undefined
      ? `${encodeForm(field.name)}=${encodeForm(fieldText(field))}`
      : `${field.name}=${field.text}`,
  )
  return pairs.join("&")
}

/** Formats a field's value: a string as is, unless the type is JSON, and any other value as JSON. */
export function fieldText({ value, text, encoding }: FormField): string {
  if (text !== undefined) return text
  const type = encoding === undefined ? undefined : contentTypeFor(value, encoding.contentTypes)
  return type !== undefined && bodyKindOf(type) === "json" ? stringifyJson(value) : toText(value)
}

/** Returns the documented content type that fits a value: JSON for a list or an object, or by the name of a file. */
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

/** Returns whether a type fits a file name: `image/jpeg` fits `photo.jpg` and `photo.jpeg`. */
function isOfName(type: string, filename: string): boolean {
  const subtype = /^[^;/]*\/([^;/]*)/.exec(type)?.[1]?.trim().toLowerCase() ?? ""
  const ending = filename.slice(filename.lastIndexOf(".") + 1).toLowerCase()
  return ending === subtype || ending === ownOf(otherEndings, subtype)
}

type FieldStyle = Style & { readonly allowReserved: boolean }

interface FieldEncoding {
  /** The style, if the field is written like a query parameter. The content type is then ignored. */
  readonly style?: FieldStyle | undefined
  readonly contentTypes: readonly string[]
  /** Headers of the field's part. Contains only those whose schema allows a single value. */
  readonly headers: readonly (readonly [name: string, value: string])[]
}

export type FieldEncodings = ReadonlyMap<string, FieldEncoding>

const encodingsByType = memo((_: Operation) => new Map<string, FieldEncodings>())

/** Returns the declared encodings of the fields of a request body with a media type. */
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

/** Matches the text allowed in the headers of a part. Excludes line breaks. */
const sendable = /^[\x20-\x7e]+$/

/** Reads a style if at least one of its fields is set (3.2.0, "Fixed Fields for RFC6570-style Serialization"). */
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

/** Returns the headers whose schema allows a single value. The values of other headers are unknown. */
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

/** Returns the delimiters of nested lists, outermost first. `multi` counts as `csv` in a nested list. */
export function swaggerInnerDelimiters(schema: Part): readonly string[] {
  const found: string[] = []
  let items = schema.inside("items")
  while (items?.text("type") === "array" && found.length < MAX_LISTS) {
    found.push(delimiterOf(styleOf(items.text("collectionFormat")) ?? "simple"))
    items = items.inside("items")
  }
  return found
}

/** The maximum depth of nested lists. */
const MAX_LISTS = 10
