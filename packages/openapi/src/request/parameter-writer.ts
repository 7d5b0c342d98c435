// Writes a parameter in the style that the document declares.

import { isJsonArray, isJsonObject, memo, parseJson } from "@callsheet/format"
import { bodyKindOf } from "../document/content.ts"
import type { Operation } from "../document/operations.ts"
import { type Parameter, parametersOf } from "../document/parameters.ts"
import type { Part } from "../document/part.ts"
import { isIgnoredHeader } from "./checked-request.ts"
import { encodingsOf, type FieldEncodings, formText, swaggerInnerDelimiters } from "./form-fields.ts"
import { asItIs, encode, type Encode, encodeReserved, encodeReservedInPath } from "./percent.ts"
import { delimiterOf, type Pair, spreadBare, spreadNamed, type Structured } from "./spread-value.ts"

export interface ParameterWriter extends ValueKinds {
  readonly parameter: Parameter
  /** The delimiters of nested lists (2.0). */
  readonly inner: readonly string[]
  /** The encodings of the fields. Set if the parameter is a form that is the whole query (3.2). */
  readonly encodings?: FieldEncodings
}

/** A parameter's text in a request. `writer` is absent if no document describes the parameter. */
export interface GivenParameter {
  readonly text: string
  readonly writer?: ParameterWriter | undefined
}

/** Returns the writer of a documented parameter. Ignores the case of header names. */
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
  // A value with `content` is already text. The only exception is a form that is the whole query (3.2).
  if (content !== undefined && !(style === "querystring" && isForm(parameter)))
    return { parameter, list: false, object: false, inner }
  if (content !== undefined)
    return { parameter, list: false, object: true, inner, encodings: encodingsOf(content) }
  const kinds = schema === undefined ? undefined : valueKindsOf(schema)
  // Only lists and objects have these styles.
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

const spreadOf = (name: string, writer: ParameterWriter, encode: Encode, encodeName = encode) => {
  const { style, explode } = writer.parameter
  return { name, style, explode, inner: writer.inner, encode, encodeName }
}

/** Writes a path segment or a part of one. Undefined for an empty list or object, which can't be written. */
export function writePath(name: string, given: GivenParameter): string | undefined {
  const { text, writer } = given
  if (writer === undefined) return encode(text)
  const { style, allowReserved } = writer.parameter
  const encoder = allowReserved ? encodeReservedInPath : encode
  const value = structureOf(given)
  if (value !== undefined) return spreadBare(value, spreadOf(name, writer, encoder, encode))
  const own = writeText(given, encoder)
  return style === "label" ? `.${own}` : style === "matrix" ? `;${encode(name)}=${own}` : own
}

export function writeQuery(
  name: string,
  given: GivenParameter,
): readonly (Pair | readonly [whole: string])[] {
  const { text, writer } = given
  if (writer === undefined) return [[encode(name), encode(text)]]
  const { style, allowReserved } = writer.parameter
  const encoder = allowReserved ? encodeReserved : encode
  if (style === "querystring") return [[writeWholeQuery(given)]]
  const value = structureOf(given)
  if (value !== undefined) return spreadNamed(value, spreadOf(name, writer, encoder, encode))
  return [[encode(name), writeText(given, encoder)]]
}

/** Writes a parameter that is the whole query (3.2) in its media type. The value of a form may also be text. */
function writeWholeQuery(given: GivenParameter): string {
  const value = structureOf(given)
  if (isJsonObject(value)) return formText(value, given.writer?.encodings)
  return isForm(given.writer?.parameter) ? encodeReserved(given.text) : encode(given.text)
}

/** Writes a header's value, without percent-encoding. Returns undefined for an empty list or object. */
export function writeHeader(name: string, given: GivenParameter): string | undefined {
  const { text, writer } = given
  const value = structureOf(given)
  if (value === undefined || writer === undefined) return text
  return spreadBare(value, spreadOf(name, writer, asItIs))
}

export function writeCookies(name: string, given: GivenParameter): readonly Pair[] {
  const { text, writer } = given
  if (writer === undefined) return [[name, text]]
  const value = structureOf(given)
  const pairs: readonly Pair[] =
    value === undefined ? [[name, text]] : spreadNamed(value, spreadOf(name, writer, asItIs))
  return writer.parameter.style === "cookie"
    ? pairs
    : pairs.map(([own, item]) => [encodeCookie(own, cookieName), encodeCookie(item, cookieValue)])
}

/** Matches a cookie's name, which is a token (RFC 9110 section 5.6.2). */
const cookieName = /^[!#$%&'*+.^_`|~\w-]+$/

/** Matches a cookie's value (RFC 6265 section 4.1.1). */
export const cookieValue =
  /^(?:[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*|"[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*")$/

/**
 * Percent-encodes only the text that a cookie can't carry, because some servers don't decode the style `form`. Keeps an
 * unpaired surrogate, for which the cookie is rejected later.
 */
const encodeCookie = (text: string, carried: RegExp): string =>
  carried.test(text) || /\p{Surrogate}/u.test(text) ? text : encode(text)

/** Writes text. For a list or an object, commas separate items and stay unencoded. */
function writeText({ text, writer }: GivenParameter, encoder: Encode): string {
  if (writer === undefined || !hasCommas(writer)) return encoder(text)
  const pieces = text.split(",")
  const isPairs = writer.parameter.explode && writer.object
  return pieces.map((piece) => (isPairs ? piece.split("=").map(encoder).join("=") : encoder(piece))).join(",")
}

/** The RFC 6570 styles with a comma as their delimiter. */
const commaStyles: ReadonlySet<string> = new Set(["form", "simple", "label", "matrix"])

const hasCommas = ({ parameter: { style, explode }, list, object }: ParameterWriter): boolean =>
  (list || object) && commaStyles.has(style) && (style === "simple" || !explode)

interface ValueKinds {
  readonly list: boolean
  readonly object: boolean
}

const MAX_ALTERNATIVES = 100

function valueKindsOf(schema: Part): ValueKinds {
  const kinds = { list: false, object: false }
  const work = [schema]
  // This loop also visits the items that it adds.
  for (const next of work) {
    const part = next.dereference() ?? next
    if (work.length < MAX_ALTERNATIVES)
      work.push(...["allOf", "oneOf", "anyOf"].flatMap((keyword) => part.items(keyword)))
    const type = part.member("type")
    const types = isJsonArray(type) ? type : [type]
    const isUntyped = type === undefined
    kinds.list ||= types.includes("array") || (isUntyped && hasAny(part, ["items", "prefixItems"]))
    kinds.object ||=
      types.includes("object") || (isUntyped && hasAny(part, ["properties", "additionalProperties"]))
  }
  return kinds
}

const hasAny = (schema: Part, keywords: readonly string[]): boolean =>
  keywords.some((keyword) => schema.member(keyword) !== undefined)
