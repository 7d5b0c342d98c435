// The text of a parameter -> what goes on the wire, as the document wants that parameter written.

import { isJsonArray, isJsonObject, memo, parseJson } from "@callsheet/format"
import { bodyKindOf } from "../document/media-type.ts"
import type { Operation } from "../document/operations.ts"
import { type Parameter, parametersOf } from "../document/parameters.ts"
import type { Part } from "../document/part.ts"
import { isIgnoredHeader } from "./checked-request.ts"
import { encodingsOf, type FieldEncodings, formText, swaggerInnerDelimiters } from "./form-fields.ts"
import { asItIs, encode, type Encode, encodeReserved, encodeReservedInPath } from "./percent.ts"
import { delimiterOf, type Pair, spreadBare, spreadNamed, type Structured } from "./spread-value.ts"
import { alternatives } from "../schema/schema-graph.ts"

export interface ParameterWriter extends ValueKinds {
  readonly parameter: Parameter
  /** Of lists inside lists (2.0). */
  readonly inner: readonly string[]
  /** Of the fields of a whole query that is a form (3.2). */
  readonly encodings?: FieldEncodings
}

/** The text of a parameter as a request gives it; without a writer it is one that no document describes. */
export interface GivenParameter {
  readonly text: string
  readonly writer?: ParameterWriter | undefined
}

/** The writer of a parameter that the operation documents; header names in any case. */
export function writerOf(
  operation: Operation,
  { in: place, name }: Pick<Parameter, "in" | "name">,
): ParameterWriter | undefined {
  const isHeader = place === "header"
  if (isHeader && isIgnoredHeader(name)) return undefined
  const key = isHeader ? name.toLowerCase() : name
  const parameter = parametersOf(operation).find(
    (one) => one.in === place && (isHeader ? one.name.toLowerCase() : one.name) === key,
  )
  return parameter && writerOfParameter(parameter)
}

const writerOfParameter = memo((parameter: Parameter) => createWriter(parameter))

export function createWriter(parameter: Parameter): ParameterWriter {
  const { style, content, schema } = parameter
  const inner = schema?.isSwagger === true ? swaggerInnerDelimiters(schema) : []
  // What `content` describes is text already: JSON as it stands. A form is the whole query of 3.2.
  if (content !== undefined && !(style === "querystring" && isForm(parameter)))
    return { parameter, list: false, object: false, inner }
  if (content !== undefined)
    return { parameter, list: false, object: true, inner, encodings: encodingsOf(content) }
  const kinds = schema === undefined ? undefined : valueKindsOf(schema)
  // These styles exist for lists and objects alone.
  const isDelimited = delimiterOf(style) !== ","
  const list = style !== "deepObject" && (isDelimited || kinds?.list === true)
  return { parameter, list, object: style === "deepObject" || isDelimited || kinds?.object === true, inner }
}

const isForm = (parameter: Parameter | undefined): boolean =>
  bodyKindOf(parameter?.content?.name ?? "") === "form"

export function structureOf({ text, writer }: GivenParameter): Structured | undefined {
  if (writer === undefined || !(writer.list || writer.object)) return undefined
  if (!/^\s*[[{]/.test(text)) return undefined
  const parsed = parseJson(text)
  if (!parsed.ok) return undefined
  if (isJsonArray(parsed.value)) return writer.list ? parsed.value : undefined
  return writer.object && isJsonObject(parsed.value) ? parsed.value : undefined
}

/** A segment of the path or a part of one. Undefined for an empty list or object, which is no value. */
export function writePath(name: string, given: GivenParameter): string | undefined {
  const { text, writer } = given
  if (writer === undefined) return encode(text)
  const { parameter, inner } = writer
  const { style, explode, allowReserved } = parameter
  const encoder = allowReserved ? encodeReservedInPath : encode
  const value = structureOf(given)
  if (value !== undefined)
    return spreadBare(value, { name, style, explode, inner, encode: encoder, encodeName: encode })
  const own = writeText(given, encoder)
  return style === "label" ? `.${own}` : style === "matrix" ? `;${encode(name)}=${own}` : own
}

export function writeQuery(
  name: string,
  given: GivenParameter,
): readonly (Pair | readonly [whole: string])[] {
  const { text, writer } = given
  if (writer === undefined) return [[encode(name), encode(text)]]
  const { parameter, inner } = writer
  const { style, explode, allowReserved } = parameter
  const encoder = allowReserved ? encodeReserved : encode
  if (style === "querystring") return [[writeWholeQuery(given)]]
  const value = structureOf(given)
  if (value !== undefined)
    return spreadNamed(value, { name, style, explode, inner, encode: encoder, encodeName: encode })
  return [[encode(name), writeText(given, encoder)]]
}

/** 3.2: one parameter is the whole query, written as its media type says; a form may be given as a text of its own. */
function writeWholeQuery(given: GivenParameter): string {
  const value = structureOf(given)
  if (isJsonObject(value)) return formText(value, given.writer?.encodings)
  return isForm(given.writer?.parameter) ? encodeReserved(given.text) : encode(given.text)
}

/** The value of a header; undefined for an empty list or object. Headers are never percent-encoded. */
export function writeHeader(name: string, given: GivenParameter): string | undefined {
  const { text, writer } = given
  const value = structureOf(given)
  if (value === undefined || writer === undefined) return text
  const { style, explode } = writer.parameter
  return spreadBare(value, { name, style, explode, inner: writer.inner, encode: asItIs })
}

export function writeCookies(name: string, given: GivenParameter): readonly Pair[] {
  const { text, writer } = given
  if (writer === undefined) return [[name, text]]
  const { inner, parameter } = writer
  const { style, explode } = parameter
  const value = structureOf(given)
  const pairs: readonly Pair[] =
    value === undefined ? [[name, text]] : spreadNamed(value, { name, style, explode, inner, encode: asItIs })
  return style === "cookie"
    ? pairs
    : pairs.map(([own, item]) => [encodeCookie(own, cookieName), encodeCookie(item, cookieValue)])
}

/** RFC 9110 section 5.6.2: what the name of a cookie is made of. */
const cookieName = /^[!#$%&'*+.^_`|~\w-]+$/

/** RFC 6265 section 4.1.1. */
const cookieValue =
  /^(?:[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*|"[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*")$/

/**
 * The style `form` percent-encodes, but servers differ in whether they decode: what a cookie can carry goes as it is. Half of a
 * character goes as it is too, and is refused with the cookie.
 */
const encodeCookie = (text: string, carried: RegExp): string =>
  carried.test(text) || /\p{Surrogate}/u.test(text) ? text : encode(text)

/** A text that is no JSON of a list: where the parameter may be one, its commas stand between items. */
function writeText({ text, writer }: GivenParameter, encoder: Encode): string {
  if (writer === undefined || !hasCommas(writer)) return encoder(text)
  const pieces = text.split(",")
  const isPairs = writer.parameter.explode && writer.object
  return pieces.map((piece) => (isPairs ? piece.split("=").map(encoder).join("=") : encoder(piece))).join(",")
}

/** Styles of RFC 6570, whose delimiter a comma is. */
const commaStyles: ReadonlySet<string> = new Set(["form", "simple", "label", "matrix"])

const hasCommas = ({ parameter: { style, explode }, list, object }: ParameterWriter): boolean =>
  (list || object) && commaStyles.has(style) && (style === "simple" || !explode)

interface ValueKinds {
  readonly list: boolean
  readonly object: boolean
}

function valueKindsOf(schema: Part): ValueKinds {
  const kinds = { list: false, object: false }
  for (const part of alternatives(schema)) {
    const type = part.member("type")
    const types = isJsonArray(type) ? type : [type]
    const isUntold = type === undefined
    kinds.list ||= types.includes("array") || (isUntold && hasAny(part, ["items", "prefixItems"]))
    kinds.object ||=
      types.includes("object") || (isUntold && hasAny(part, ["properties", "additionalProperties"]))
  }
  return kinds
}

const hasAny = (schema: Part, keywords: readonly string[]): boolean =>
  keywords.some((keyword) => schema.member(keyword) !== undefined)
