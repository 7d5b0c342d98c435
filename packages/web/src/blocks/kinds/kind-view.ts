// What each kind of block answers about itself on the page, with the words that several kinds share.

import type { ComponentType } from "react"
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@callsheet/format"

export interface KindView {
  /** `block` is as it stands in the file, right or not. */
  readonly Form: ComponentType<{ readonly block: JsonObject }>
  /** What a block does, in one line of the outline. A broken block has the line that it still gives. */
  readonly summary: (block: JsonObject) => string
  /** What a new block says beside its id and type: valid at once, or with its problem at the field that has to be filled. */
  readonly fresh: (surroundings: Surroundings) => JsonObject
  /** It only looks at results before it: what is made of a result goes into such a block right behind. */
  readonly looksBack?: true
  /** Of its mark, as a color of `tokens.css`. */
  readonly color?: "blue" | "good" | "violet" | "warning" | "accent"
}

/** What is known where a block is made. */
export interface Surroundings {
  /** The id of the last request before it. */
  readonly request?: string | undefined
  readonly apis: readonly string[]
}

/** A check that the last request went well. */
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
  return name === "" ? "no script chosen yet" : `${exported} of ${name}.ts`
}

export const textIn = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "")

export function shortValue(value: JsonValue | undefined): string {
  if (value === undefined) return "…"
  if (typeof value === "object" && value !== null) return isJsonArray(value) ? `[${value.length}]` : "{…}"
  return typeof value === "bigint" ? String(value) : JSON.stringify(value).slice(0, 60)
}
