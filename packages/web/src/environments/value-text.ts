// Parses and formats values of variables.

import { hints, coerceText, type ScalarType } from "@callsheet/format"
import type { CellValue } from "@callsheet/server/calls"

export const formatCellValue = (value: CellValue | undefined): string =>
  value === undefined || value === null ? "" : String(value)

type TypedValue = { readonly value: CellValue } | { readonly fault: string; readonly hint: string }

const nouns: { readonly [T in ScalarType]: string } = {
  string: "text",
  number: "a number",
  boolean: "true or false",
}

/** Names of types for users. */
export const typeWords: { readonly [T in ScalarType]: string } = {
  string: "text",
  number: "number",
  boolean: "true or false",
}

/** Parses typed text. An integer that a double would round stays text. */
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

/** Returns whether the text of a secret has its type. The value isn't parsed, because it stays on the server. */
export const isTyped = (text: string, type: ScalarType): boolean => !("fault" in readTyped(text, type))
