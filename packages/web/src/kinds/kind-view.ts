// Defines the page's side of each kind of block, and the words that several kinds share.

import type { LucideIcon } from "lucide-react"
import type { ComponentType } from "react"
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  operators,
  ownOf,
} from "@callsheet/format"
import { textIn } from "../forms/value-text.ts"

export interface KindView {
  /** The form. `block` is the value in the file and may be invalid. */
  readonly Form: ComponentType<{ readonly block: JsonObject }>
  /** Returns a one-line summary for the outline. For an invalid block, uses only its valid fields. */
  readonly summary: (block: JsonObject) => string
  /** Returns the fields of a new block, except id and type. The user has to fix any that are invalid. */
  readonly fresh: (surroundings: Surroundings) => JsonObject
  /** Set if the kind only reads earlier results. A block created from a result is then inserted after it. */
  readonly looksBack?: true
  readonly icon: LucideIcon
  /** The color of the icon in `tokens.css`. */
  readonly color?: "blue" | "good" | "violet" | "warning" | "accent"
}

export interface Surroundings {
  readonly request?: string | undefined
  readonly apis: readonly string[]
}

/** Returns a check that the request before the block has succeeded. */
export const freshCheck = ({ request }: Surroundings): JsonObject => ({
  source: request === undefined ? "" : `${request}.response.status`,
  operator: "equals",
  value: 200,
})

/** Such as `login.response.status equals 200`. */
export function assertionSummary(assertion: JsonValue | undefined): string {
  if (!isJsonObject(assertion)) return "…"
  const operator = textIn(assertion["operator"])
  const value = Object.hasOwn(assertion, "value") ? ` ${shortValue(assertion["value"])}` : ""
  return `${textIn(assertion["source"]) || "…"} ${ownOf(operators, operator)?.phrase ?? operator}${value}`
}

export function scriptSummary(script: JsonValue | undefined): string | undefined {
  if (!isJsonObject(script)) return undefined
  const [name, exported] = [textIn(script["name"]), textIn(script["exportName"])]
  return name === "" ? "no script yet" : `${exported} in ${name}.ts`
}

export function shortValue(value: JsonValue | undefined): string {
  if (value === undefined) return "…"
  if (typeof value === "object" && value !== null) return isJsonArray(value) ? `[${value.length}]` : "{…}"
  return typeof value === "bigint" ? String(value) : JSON.stringify(value).slice(0, 60)
}
