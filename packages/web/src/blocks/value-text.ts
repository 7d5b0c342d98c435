// A JSON value as the text of a field, and back: digits stay as they are, however many. Pure.

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

/** The text in which a value of that form is edited. */
export function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : stringifyJson(value)
}

/** What the text says in that form; undefined where it says nothing. */
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

/** A number of JSON's grammar, exact: a large integer is a bigint. */
export function numberOf(text: string): number | bigint | undefined {
  const parsed = parseJson(text.trim())
  if (!parsed.ok) return undefined
  const { value } = parsed
  if (typeof value === "bigint") return value
  return typeof value === "number" && Number.isFinite(value) ? value : undefined
}

export const numberText = (value: JsonValue | undefined): string =>
  value === undefined ? "" : typeof value === "string" ? value : stringifyJson(value)

/** The same value in another form, as far as it can be said there. */
export function changedForm(value: JsonValue, form: ValueForm): JsonValue {
  const said = valueOf(textOf(value).trim(), form)
  if (form === "text") return textOf(value)
  if (form === "json") return typeof value === "string" && said === undefined ? {} : (said ?? value)
  if (said !== undefined && formOf(said) === form) return said
  return form === "number" ? 0 : form === "boolean" ? true : null
}
