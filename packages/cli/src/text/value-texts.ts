// Shows a value in one line, and two different values so that a reader sees how they differ.

import { differenceWindows, isJsonArray, type JsonValue } from "@callsheet/format"
import { plural } from "./measures.ts"
import { compactJson } from "./preview.ts"
import { printable } from "./printable.ts"

/** Returns a value in one line of `width`, or a summary of it. */
export const valueText = (value: JsonValue | undefined, width: number): string =>
  value === undefined ? "nothing" : (compactJson(value, width) ?? summary(value))

function summary(value: JsonValue): string {
  if (typeof value === "string")
    return `${printable(JSON.stringify(value.slice(0, 40)))}… (${value.length} characters)`
  if (typeof value === "bigint")
    return `${String(value).slice(0, 40)}… (${plural(String(value).length, "digit")})`
  if (isJsonArray(value)) return `[ … ${plural(value.length, "item")} ]`
  return `{ … ${plural(Object.keys(value as object).length, "member")} }`
}

type Part = JsonValue | undefined

/** Returns two different values in one line of `width` each. Of long texts, shows the part that differs. */
export function differingTexts(left: Part, right: Part, width: number): readonly [string, string] {
  const [own, other] = windowTexts(left, right, width) ?? [valueText(left, width), valueText(right, width)]
  return looksLike(own) === looksLike(other) ? [spellOut(own), spellOut(other)] : [own, other]
}

function windowTexts(left: Part, right: Part, width: number): readonly [string, string] | undefined {
  const isText = typeof left === "string" && typeof right === "string"
  if (!isText && !(isInteger(left) && isInteger(right))) return undefined
  const [own, other] = [String(left), String(right)]
  if (own.length <= width && other.length <= width) return [quoted(own, isText), quoted(other, isText)]
  const [first, second] = differenceWindows(own, other, width)
  const show = ({ text, isCutBefore, isCutAfter }: typeof first): string =>
    `${isCutBefore ? "…" : ""}${quoted(text, isText)}${isCutAfter ? "…" : ""}`
  return [show(first), show(second)]
}

const isInteger = (value: Part): value is number | bigint =>
  typeof value === "bigint" || Number.isInteger(value)

const quoted = (text: string, isText: boolean): string => (isText ? printable(JSON.stringify(text)) : text)

/** Returns what people see of a text: letters without their encoding, no space that only its code tells apart. */
const looksLike = (text: string): string =>
  text
    .normalize("NFKC")
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, "")
    .replaceAll(/\s/gu, " ")

/** Escapes all characters except those of ASCII. */
const spellOut = (text: string): string =>
  text.replaceAll(/[^\u0020-\u007e…]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
