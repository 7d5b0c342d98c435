// The definition of a block kind on the page, and the words that several kinds share.

import type { ComponentType } from "react"
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@callsheet/format"

export interface KindView {
  /** `block` is the value in the file, valid or not. */
  readonly Form: ComponentType<{ readonly block: JsonObject }>
  /** A one-line summary for the outline. An invalid block still gets the line that its fields allow. */
  readonly summary: (block: JsonObject) => string
  /** Initial fields of a new block next to id and type: either valid, or with a problem at the field to fill in. */
  readonly fresh: (surroundings: Surroundings) => JsonObject
  /** The kind only reads earlier results, so a block created from a result is inserted right after it. */
  readonly looksBack?: true
  /** Color of the kind's mark, from `tokens.css`. */
  readonly color?: "blue" | "good" | "violet" | "warning" | "accent"
}

export interface Surroundings {
  readonly request?: string | undefined
  readonly apis: readonly string[]
}

/** Returns a check that the preceding request succeeded. */
export const freshCheck = ({ request }: Surroundings): JsonObject => ({
  source: request === undefined ? "" : `${request}.response.status`,
  operator: "equals",
  value: 200,
})

const words: Readonly<Record<string, string>> = {
  equals: "=",
  notEquals: "≠",
  greaterThan: ">",
  lessThan: "<",
  contains: "contains",
  exists: "exists",
  notExists: "does not exist",
  hasValue: "has a value",
  hasNoValue: "has no value",
}

/** `login.response.status = 200` */
export function assertionSummary(assertion: JsonValue | undefined): string {
  if (!isJsonObject(assertion)) return "…"
  const operator = textIn(assertion["operator"])
  const value = Object.hasOwn(assertion, "value") ? ` ${shortValue(assertion["value"])}` : ""
  const word = Object.hasOwn(words, operator) ? words[operator] : operator
  return `${textIn(assertion["source"]) || "…"} ${word}${value}`
}

export function scriptSummary(script: JsonValue | undefined): string | undefined {
  if (!isJsonObject(script)) return undefined
  const [name, exported] = [textIn(script["name"]), textIn(script["exportName"])]
  return name === "" ? "no script yet" : `${exported} in ${name}.ts`
}

export const textIn = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "")

export function shortValue(value: JsonValue | undefined): string {
  if (value === undefined) return "…"
  if (typeof value === "object" && value !== null) return isJsonArray(value) ? `[${value.length}]` : "{…}"
  return typeof value === "bigint" ? String(value) : JSON.stringify(value).slice(0, 60)
}
