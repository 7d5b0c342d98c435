// Converts a JSON value to the text of a field and back. Keeps all digits of a number. Pure.

import { isJsonArray, isJsonObject, parseJson, stringifyJson, type JsonValue } from "@callsheet/format"

export type ValueForm = "text" | "number" | "boolean" | "null" | "json"

export const valueForms: { readonly [F in ValueForm]: string } = {
  text: "text",
  number: "number",
  boolean: "true/false",
  null: "null",
  json: "JSON",
}

export function formOf(value: JsonValue): ValueForm {
  if (value === null) return "null"
  if (isJsonArray(value) || isJsonObject(value)) return "json"
  if (typeof value === "string") return "text"
  return typeof value === "boolean" ? "boolean" : "number"
}

/** Returns the text that a field shows for the value. */
export function formatValue(value: JsonValue): string {
  return typeof value === "string" ? value : stringifyJson(value)
}

/** Parses text as a form of value. Undefined if it isn't valid. */
export function valueOf(text: string, form: ValueForm): JsonValue | undefined {
  switch (form) {
    case "text":
      return text
    case "number":
      return numberOf(text)
    case "boolean":
      return text === "true" ? true : text === "false" ? false : undefined
    case "null":
      return null
    case "json": {
      const parsed = parseJson(text)
      return parsed.ok ? parsed.value : undefined
    }
  }
}

/** Parses a JSON number exactly. A large integer becomes a bigint. */
export function numberOf(text: string): number | bigint | undefined {
  const parsed = parseJson(text.trim())
  if (!parsed.ok) return undefined
  const { value } = parsed
  if (typeof value === "bigint") return value
  return typeof value === "number" && Number.isFinite(value) ? value : undefined
}

export const numberText = (value: JsonValue | undefined): string =>
  value === undefined ? "" : typeof value === "string" ? value : stringifyJson(value)

/** Converts the value to another form, as far as possible. */
export function changedForm(value: JsonValue, form: ValueForm): JsonValue {
  const parsed = valueOf(formatValue(value).trim(), form)
  if (form === "text") return formatValue(value)
  if (form === "json") return typeof value === "string" && parsed === undefined ? {} : (parsed ?? value)
  if (parsed !== undefined && formOf(parsed) === form) return parsed
  return form === "number" ? 0 : form === "boolean" ? true : null
}

/** Returns an empty text for any other value. */
export const textIn = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "")
