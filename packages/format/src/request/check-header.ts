// Checks whether HTTP can carry a header. Messages never show a value, which may be a secret.

import { messages } from "../messages.ts"
import type { Finding } from "../problems.ts"

/** A token, as RFC 9110 section 5.6.2 defines it. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** A field value, as RFC 9110 section 5.5 defines it: visible ASCII, space, tab and the rest of Latin-1. */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/

export const isHttpToken = (text: string): boolean => token.test(text)

/** Returns the reason why HTTP can't carry a header, if any. */
export function checkHeader(name: string, value: string): Finding<"field-value"> | undefined {
  const { headerName, headerValue } = messages["field-value"]
  if (!isHttpToken(name)) return headerName(shortenName(name))
  return fieldValue.test(value) ? undefined : headerValue(name, strayIn(value, headerStrays))
}

/** A character that HTTP doesn't allow in a header or a cookie. */
export type Stray =
  | "line break"
  | "NUL character"
  | "control character"
  | "semicolon"
  | "comma"
  | "space"
  | "backslash"
  | "quotation mark"
  | "character outside Latin-1"
  | "character outside ASCII"
  | "character"

type Strays = readonly (readonly [RegExp, Stray])[]

const controls: Strays = [
  [/[\r\n]/, "line break"],
  [/\0/, "NUL character"],
  [/[\x01-\x1f\x7f]/, "control character"],
]

const headerStrays: Strays = [...controls, [/[^\x00-\xff]/, "character outside Latin-1"]]

export const cookieStrays: Strays = [
  ...controls,
  [/;/, "semicolon"],
  [/,/, "comma"],
  [/ /, "space"],
  [/\\/, "backslash"],
  [/"/, "quotation mark"],
  [/[^\x00-\x7f]/, "character outside ASCII"],
]

export const strayIn = (value: string, table: Strays): Stray =>
  table.find(([pattern]) => pattern.test(value))?.[1] ?? "character"

export const shortenName = (name: string): string => (name.length > 40 ? `${name.slice(0, 40)}…` : name)
