// The value of a form -> its fields in order, and those as `application/x-www-form-urlencoded`.

import { isJsonArray, isJsonObject, stringifyJson, type JsonObject, type JsonValue } from "@callsheet/format"
import { bodyKindOf } from "../document/media-type.ts"
import type { FieldEncoding, FieldEncodings, FieldStyle } from "./field-encodings.ts"
import { asItIs, encode, encodeForm, encodeReserved } from "./percent.ts"
import { spreadNamed, type Style, textOf } from "./spread-value.ts"

export interface FormField {
  /** As it is, or percent-encoded where `text` is. */
  readonly name: string
  readonly value: JsonValue
  /** What a style makes of it, in the form it is sent. */
  readonly text?: string | undefined
  readonly encoding?: FieldEncoding | undefined
}

const none: FieldEncodings = new Map()

/**
 * The fields of a form; a list repeats its name unless the document says otherwise. `as` says how a style writes: parts
 * are not percent-encoded. `isWhole` tells values that no style takes apart: files.
 */
export function* formFields(
  value: JsonObject,
  encodings: FieldEncodings | undefined,
  as: { readonly parts: boolean; readonly isWhole?: (value: JsonValue) => boolean },
): Generator<FormField> {
  for (const [name, field] of Object.entries(value)) {
    const encoding = (encodings ?? none).get(name)
    const style = encoding?.style
    if (style !== undefined && !isOutOfStyle(field, style, as.isWhole))
      for (const [own, text] of styledPairs(name, field, { style, parts: as.parts }))
        yield { name: own, value: text, text, encoding }
    else for (const item of isJsonArray(field) ? field : [field]) yield { name, value: item, encoding }
  }
}

/** A list has no form as a `deepObject`, and a file none in any style. */
function isOutOfStyle(
  field: JsonValue,
  { style }: Style,
  isWhole: ((value: JsonValue) => boolean) | undefined,
): boolean {
  if (isWhole !== undefined && (isJsonArray(field) ? field.some(isWhole) : isWhole(field))) return true
  return style === "deepObject" && isJsonArray(field)
}

function styledPairs(
  name: string,
  value: JsonValue,
  { style: named, parts }: { readonly style: FieldStyle; readonly parts: boolean },
): readonly (readonly [name: string, value: string])[] {
  const { style, explode, allowReserved, inner = [] } = named
  const encodeName = parts ? asItIs : encode
  const encodeValue = parts ? asItIs : allowReserved ? encodeReserved : encode
  return isJsonArray(value) || isJsonObject(value)
    ? spreadNamed(value, { name, style, explode, inner, encode: encodeValue, encodeName })
    : [[encodeName(name), encodeValue(textOf(value))]]
}

/** A form as text. Throws a URIError for half of a surrogate pair. */
export function formText(value: JsonObject, encodings: FieldEncodings | undefined): string {
  const pairs: string[] = []
  for (const field of formFields(value, encodings, { parts: false }))
    pairs.push(
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
  return type !== undefined && bodyKindOf(type) === "json" ? stringifyJson(value) : textOf(value)
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

const otherEndings: Readonly<Record<string, string>> = {
  jpeg: "jpg",
  plain: "txt",
  "svg+xml": "svg",
  tiff: "tif",
}

/** `photo.jpg` and `photo.jpeg` are `image/jpeg`. */
function isOfName(type: string, filename: string): boolean {
  const subtype = /^[^;/]*\/([^;/]*)/.exec(type)?.[1]?.trim().toLowerCase() ?? ""
  const ending = filename.slice(filename.lastIndexOf(".") + 1).toLowerCase()
  return ending === subtype || (Object.hasOwn(otherEndings, subtype) && ending === otherEndings[subtype])
}
