// Converts text from the command line, the process or a secrets file to a value of a declared type.

import { numberValue, scanNumber } from "../json/scan.ts"
import type { JsonValue } from "../json/value.ts"
import type { ScalarType } from "../workflow/types.ts"

export type Scalar = string | number | bigint | boolean

/** Converts text to a value of a type. Numbers follow JSON's grammar (RFC 8259 section 6): `1e3` is 1000, `0x10` is undefined. */
export function coerceText(text: string, type: ScalarType): Scalar | undefined {
  if (type === "string") return text
  if (type === "boolean") return text === "true" ? true : text === "false" ? false : undefined
  const scanned = scanNumber(text, 0)
  return "end" in scanned && scanned.end === text.length ? numberValue(text) : undefined
}

/** Returns whether a JSON value has the declared type. Doesn't coerce strings. */
export const isOfType = (value: unknown, type: ScalarType): value is Scalar =>
  typeof value === type || (type === "number" && typeof value === "bigint")

/** Returns the value of an input with its declared type, or undefined if it has another one. Text is coerced. */
export function typedInput(value: JsonValue, type: ScalarType): Scalar | undefined {
  if (typeof value === "string") return coerceText(value, type)
  return isOfType(value, type) && (typeof value !== "number" || Number.isFinite(value)) ? value : undefined
}
