// How a document wants the fields of a form or the parts of a multipart body written: the Encoding Object of 3.x.

import { isJsonObject } from "@callsheet/format"
import { type MediaType, requestBodyOf } from "../document/content.ts"
import { dereference, type OpenApiDocument } from "../document/document.ts"
import {
  entriesIn,
  inside,
  listMember,
  type Located,
  member,
  objectMember,
  textMember,
} from "../document/located.ts"
import { matchMediaType } from "../document/media-type.ts"
import { getOrCreate, memo } from "../document/memo.ts"
import type { Operation } from "../document/operations.ts"
import { rawParametersOf, styleOf, swaggerParameterParts } from "../document/swagger.ts"
import { delimiterOf, type Style, textOf } from "./spread-value.ts"

export type FieldStyle = Style & { readonly allowReserved: boolean }

export interface FieldEncoding {
  /** Written as a query parameter is; then no content type counts. */
  readonly style?: FieldStyle | undefined
  /** In the order of the document, ranges too. */
  readonly contentTypes: readonly string[]
  /** Headers of its part that can only have one value. */
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/** By the names of fields. */
export type FieldEncodings = ReadonlyMap<string, FieldEncoding>

const none: FieldEncodings = new Map()

const encodingsByType = memo((_: Operation) => new Map<string, FieldEncodings>())

/** The encodings of a request body that is sent as a media type; those of fields that say nothing are left out. */
export const fieldEncodings = (
  document: OpenApiDocument,
  operation: Operation,
  mediaType: string,
): FieldEncodings =>
  getOrCreate(encodingsByType(operation), mediaType, () => read(document, operation, mediaType))

function read(document: OpenApiDocument, operation: Operation, mediaType: string): FieldEncodings {
  if (document.version === "2.0") return swaggerFieldEncodings(document, operation)
  const media = matchMediaType(requestBodyOf(document, operation)?.content ?? [], mediaType)
  return media === undefined ? none : encodingsOf(document, media)
}

export function encodingsOf(document: OpenApiDocument, { encoding }: MediaType): FieldEncodings {
  if (encoding === undefined || !isJsonObject(encoding.value)) return none
  return new Map(
    Object.keys(encoding.value).flatMap((name) => {
      const part = inside(encoding, name)
      return part === undefined ? [] : [[name, readEncoding(document, part)] as const]
    }),
  )
}

function readEncoding(document: OpenApiDocument, encoding: Located): FieldEncoding {
  const { value } = encoding
  return {
    style: readStyle(value),
    contentTypes: (textMember(value, "contentType") ?? "")
      .split(",")
      .map((type) => type.trim())
      .filter((type) => sendable.test(type)),
    headers: fixedHeaders(document, encoding),
  }
}

/** What may stand in the head of a part: no line break above all. */
const sendable = /^[\x20-\x7e]+$/

/** One of these fields is as good as all (3.2.0, "Fixed Fields for RFC6570-style Serialization"). */
function readStyle(encoding: Located["value"]): FieldEncoding["style"] {
  const explode = member(encoding, "explode")
  const allowReserved = member(encoding, "allowReserved")
  const named = textMember(encoding, "style")
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
function fixedHeaders(document: OpenApiDocument, encoding: Located): FieldEncoding["headers"] {
  return entriesIn(encoding, "headers").flatMap(([name, raw]) => {
    if (name.toLowerCase() === "content-type") return []
    const header = dereference(document, raw)
    const given = header && inside(header, "schema")
    const schema = given && dereference(document, given)?.value
    const values = listMember(schema, "enum")
    const only = member(schema, "const") ?? (values.length === 1 ? values[0] : undefined)
    if (only === undefined || only === null || !/^[\w-]+$/.test(name)) return []
    const text = textOf(only)
    return sendable.test(text) ? [[name, text] as const] : []
  })
}

/** By the names of the fields that are lists. */
export function swaggerFieldEncodings(document: OpenApiDocument, operation: Operation): FieldEncodings {
  const fields = rawParametersOf(document, operation).parameters.filter(
    ({ value }) => textMember(value, "in") === "formData" && textMember(value, "type") === "array",
  )
  return new Map(
    fields.map((field) => {
      const { style, explode } = swaggerParameterParts(field, "query")
      const inner = swaggerInnerDelimiters(field)
      const encoding = {
        style: { style, explode, inner, allowReserved: false },
        contentTypes: [],
        headers: [],
      }
      return [textMember(field.value, "name") ?? "", encoding]
    }),
  )
}

/** What stands between the items of lists in lists, from the outer to the inner ones; `multi` counts as `csv` there. */
export function swaggerInnerDelimiters({ value }: Located): readonly string[] {
  const found: string[] = []
  let items = objectMember(value, "items")
  while (items !== undefined && textMember(items, "type") === "array" && found.length < MAX_LISTS) {
    found.push(delimiterOf(styleOf(textMember(items, "collectionFormat")) ?? "simple"))
    items = objectMember(items, "items")
  }
  return found
}

/** Lists of lists beyond this depth are not read. */
const MAX_LISTS = 10
