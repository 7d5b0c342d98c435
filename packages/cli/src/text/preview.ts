// Shortens a JSON value of any size to a few lines. The size of the output limits the work and the depth.

import { isJsonArray, type JsonObject, type JsonValue, ownOf } from "@callsheet/format"
import { printable } from "./printable.ts"

export interface PreviewLimits {
  /** The maximum number of characters in a line. */
  readonly width: number
  /** The maximum number of characters of a string. By default, as many as fit into `width`. */
  readonly string?: number
  readonly lines: number
}

/** Formats a value in one line. Returns undefined if it doesn't fit. If `isWhole`, no string is cut. */
export function compactJson(value: JsonValue, width: number, isWhole = false): string | undefined {
  let left = width
  const spend = (text: string): string => {
    left -= text.length
    return text
  }
  const isSpent = () => left < 0
  // Each level takes at least a character, so the width limits the recursion.
  const write = (item: JsonValue): string => {
    if (isWhole && typeof item === "string" && item.length > left) left = -1
    if (isSpent()) return ""
    if (typeof item !== "object" || item === null) return spend(scalar(item, left + 2))
    const [open, close] = isJsonArray(item) ? ["[", "]"] : ["{", "}"]
    let text = spend(open)
    for (const [key, inner] of isJsonArray(item) ? item.entries() : members(item)) {
      if (isSpent()) break
      const name = typeof key === "number" ? "" : `${scalar(key, left + 2)}: `
      text += spend(`${text === open ? "" : ", "}${name}`)
      text += write(inner)
    }
    return text + spend(close)
  }
  const text = write(value)
  return isSpent() ? undefined : text
}

/** Yields members one by one: a value may have a million, and a line shows ten. */
function* members(object: JsonObject): Generator<[string, JsonValue], void> {
  for (const key in object) {
    const value = ownOf(object, key)
    if (value !== undefined) yield [key, value]
  }
}

export function previewJson(value: JsonValue, limits: PreviewLimits): string[] {
  const lines: string[] = []
  // Each level starts a line, so the number of lines limits the recursion.
  const write = (item: JsonValue, indent: string, before: string, after: string, last: number): void => {
    if (lines.length > last) return
    const room = Math.max(20, limits.width - indent.length - before.length - after.length)
    const compact = compactJson(item, room, limits.string !== undefined)
    const put = (text: string): void => void lines.push(`${indent}${before}${text}${after}`)
    if (compact !== undefined) return put(compact)
    if (typeof item !== "object" || item === null)
      return put(scalar(item, Math.max(room, limits.string ?? 0)))
    const isArray = isJsonArray(item)
    lines.push(`${indent}${before}${isArray ? "[" : "{"}`)
    let left = isArray ? item.length : Object.keys(item).length
    for (const [key, inner] of isArray ? item.entries() : members(item)) {
      if (lines.length > last) break
      const name = typeof key === "number" ? "" : `${scalar(key, limits.width)}: `
      left--
      // A large member must not hide the ones after it, such as an error after the data.
      const end =
        left > 0 && indent === "" ? Math.min(last, lines.length + Math.ceil(limits.lines / 2)) : last
      write(inner, `${indent}  `, name, left > 0 ? "," : "", end)
      if (end < last && lines.length > end) lines.splice(end, lines.length, `${indent}  …`)
    }
    lines.push(`${indent}${isArray ? "]" : "}"}${after}`)
  }
  write(value, "", "", "", limits.lines)
  return cut(lines, limits.lines)
}

export function previewBody(body: JsonValue, limits: PreviewLimits): string[] {
  if (typeof body !== "string") return previewJson(body, limits)
  const lines: string[] = []
  for (let at = 0; at <= body.length && lines.length <= limits.lines;) {
    const end = body.indexOf("\n", at)
    const stop = end === -1 ? body.length : end
    const line = body.slice(at, stop).replace(/\r$/, "")
    lines.push(shorten(line, limits.string ?? limits.width * 3))
    at = stop + 1
  }
  return cut(lines, limits.lines)
}

const cut = (lines: readonly string[], max: number): string[] =>
  lines.length > max ? [...lines.slice(0, max), "…"] : [...lines]

type Scalar = Exclude<JsonValue, object>

function scalar(value: Scalar, max: number): string {
  if (typeof value !== "string") return String(value)
  if (value.length <= max) return printable(JSON.stringify(value))
  const kept = Math.max(10, max - 30)
  return `${printable(JSON.stringify(whole(value.slice(0, kept))))}… (${value.length} characters)`
}

export const shorten = (text: string, max: number): string =>
  text.length <= max ? printable(text) : `${printable(whole(text.slice(0, Math.max(1, max - 1))))}…`

/** Shortens a path, whose end says more than its start. */
export const shortenStart = (text: string, max: number): string =>
  text.length <= max ? printable(text) : `…${printable(text.slice(1 - max).replace(/^[\udc00-\udfff]/, ""))}`

// Removes half of a surrogate pair from the end of a string.
const whole = (text: string): string => (/[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text)
