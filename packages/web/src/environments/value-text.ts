// Values of variables as a person types and reads them.

import { hints, coerceText, type ScalarType } from "@callsheet/format"
import type { CellValue } from "@callsheet/server/calls"

/** What stands in a field to be edited. */
export const textOfValue = (value: CellValue | undefined): string =>
  value === undefined || value === null ? "" : String(value)

type TypedValue = { readonly value: CellValue } | { readonly fault: string; readonly hint: string }

const nouns: { readonly [T in ScalarType]: string } = {
  string: "a text",
  number: "a number",
  boolean: "true or false",
}

/** What a person calls a type. */
export const typeWords: { readonly [T in ScalarType]: string } = {
  string: "text",
  number: "number",
  boolean: "true or false",
}

/** What a typed text is of a type. A whole number that a double would round goes as its text. */
export function readTyped(text: string, type: ScalarType): TypedValue {
  if (type === "string") return { value: text }
  const value = coerceText(text.trim(), type)
  if (value === undefined || typeof value === "string") return faultOf(type)
  return { value: typeof value === "bigint" ? value.toString() : value }
}

const faultOf = (type: ScalarType): TypedValue => ({
  fault: `That is not ${nouns[type]}.`,
  hint: hints.scalar[type],
})

/** Whether a text of a secret is of its type; what it is stays with the server. */
export const isTyped = (text: string, type: ScalarType): boolean => !("fault" in readTyped(text, type))
