// The value of a parameter as its style writes it -> the values that it may stand for. What cannot be read is not judged.

import { memberType, unknownType, type JsonObject, type JsonValue, type ValueType } from "@callsheet/format"
import type { Parameter } from "../document/parameters.ts"
import { delimiterOf } from "./spread-value.ts"
import { listReadings, scalarReadings } from "./text-readings.ts"
import { decode } from "./wire-query.ts"

export interface Styled {
  readonly parameter: Parameter
  readonly type: ValueType
  /** Whether values are percent-encoded: those of URLs. */
  readonly isEncoded: boolean
}

/** The readings of all that came under the parameter's own name; none where nothing is claimed of it. */
export function styledReadings(styled: Styled, raw: readonly string[]): readonly JsonValue[] {
  const { kinds } = styled.type
  const [first = ""] = raw
  const readings: JsonValue[] = []
  if (kinds?.has("array") === true) readings.push(...arrayReadings(styled, raw))
  if (kinds?.has("object") === true) readings.push(...objectReadings(styled, first))
  // Several values of what may be anything may well be a list.
  if (
    kinds === undefined ? raw.length === 1 : [...kinds].some((kind) => kind !== "array" && kind !== "object")
  )
    readings.push(...scalarReadings(wholeText(styled, first), styled.type))
  return readings
}

/** The text of a value that is no list and no object. */
export const wholeText = (styled: Styled, raw: string): string => textOf(styled, withoutPrefix(styled, raw))

const textOf = ({ isEncoded }: Styled, raw: string): string => (isEncoded ? decode(raw) : raw.trim())

/** Label and matrix say first what they are. */
function withoutPrefix({ parameter: { style, name } }: Styled, raw: string): string {
  if (style === "label") return raw.replace(/^\./, "")
  if (style !== "matrix") return raw
  const from = raw.indexOf("=")
  return decode(raw.slice(1, from === -1 ? undefined : from)) === name && from !== -1
    ? raw.slice(from + 1)
    : raw
}

function arrayReadings(styled: Styled, raw: readonly string[]): readonly JsonValue[] {
  const items = itemTypes(styled.type)
  if (items === undefined) return []
  return listsOf(styled, raw).flatMap((texts) => listReadings(texts, items))
}

/** The types of items; undefined where some item is itself a list or an object, which is written in many ways. */
function itemTypes(type: ValueType): ((index: number) => Pick<ValueType, "kinds">) | undefined {
  const of = (index: number) => memberType(type, String(index)) ?? unknownType
  const { kinds } = of(0)
  return kinds?.has("array") === true || kinds?.has("object") === true ? undefined : of
}

/** The texts of the items, in each way in which they may have been written. */
export function listsOf(styled: Styled, raw: readonly string[]): readonly (readonly string[])[] {
  const { style, explode, in: place } = styled.parameter
  const repeats = (place === "query" || place === "cookie") && explode
  if (repeats) return [raw.map((one) => textOf(styled, one))]
  if (style === "matrix" && explode) {
    const each = raw.flatMap((one) => one.split(";").slice(1))
    return [each.map((one) => textOf(styled, one.slice(one.indexOf("=") + 1)))]
  }
  const whole = raw.map((one) => withoutPrefix(styled, one))
  // OpenAPI 3.0 shows points for both, RFC 6570 commas for what is not exploded.
  const ways = style === "label" ? (explode ? ["."] : [",", "."]) : [delimiterOf(style)]
  return ways.flatMap((delimiter) => splits(styled, whole, delimiter))
}

/** At every delimiter, and where some are encoded and others are not also at the plain ones alone. */
function splits(styled: Styled, raw: readonly string[], delimiter: string): readonly (readonly string[])[] {
  if (raw.every((one) => one === "")) return [[], [""]]
  const at = (split: (one: string) => readonly string[]): readonly string[] =>
    raw.flatMap((one) => split(one).map((item) => textOf(styled, item)))
  const plain = at((one) => one.split(delimiter))
  if (!styled.isEncoded) return [plain]
  const encoded = new RegExp(`%${delimiter.charCodeAt(0).toString(16).padStart(2, "0")}`, "gi")
  const all = at((one) => one.replaceAll(encoded, delimiter).split(delimiter))
  return all.length === plain.length ? [all] : [all, plain]
}

function objectReadings(styled: Styled, raw: string): readonly JsonValue[] {
  const { style, explode, in: place } = styled.parameter
  // Its members go under names of their own.
  if (explode && (place === "query" || place === "cookie")) return []
  const texts =
    style === "matrix" && explode
      ? [
          raw
            .split(";")
            .slice(1)
            .map((one) => textOf(styled, one)),
        ]
      : splits(styled, [withoutPrefix(styled, raw)], style === "label" && explode ? "." : delimiterOf(style))
  return texts
    .map((pieces) => membersOf(pieces, explode))
    .map((members) => (members === undefined ? undefined : readMembers(styled.type, members)))
    .filter((object) => object !== undefined)
}

type Members = readonly (readonly [name: string, texts: readonly string[]])[]

/** `a=1,b=2` where it is exploded, else `a,1,b,2`. */
function membersOf(texts: readonly string[], explode: boolean): Members | undefined {
  if (!explode) {
    if (texts.length % 2 === 1) return undefined
    return texts.flatMap((name, index) =>
      index % 2 === 0 ? [[name, texts.slice(index + 1, index + 2)] as const] : [],
    )
  }
  if (!texts.every((text) => text.includes("="))) return undefined
  return texts.map((text) => [text.slice(0, text.indexOf("=")), [text.slice(text.indexOf("=") + 1)]])
}

/** An object whose members are written one by one; undefined where one of them is written in many ways. */
export function readMembers(type: ValueType, members: Members): JsonObject | undefined {
  const entries: [string, JsonValue][] = []
  for (const [name, texts] of members) {
    const own = memberType(type, name) ?? unknownType
    if (own.kinds?.has("object") === true || own.kinds?.has("array") === true) return undefined
    entries.push([name, scalarReadings(texts.at(-1) ?? "", own)[0]])
  }
  // fromEntries defines own properties, `__proto__` included.
  return Object.fromEntries(entries)
}
