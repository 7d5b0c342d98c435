// The block and the saved request of a sent request. Finds their texts that can't be saved. Pure.

import type { JsonObject, JsonValue } from "@callsheet/format"
import type { OperationDetail } from "@callsheet/server/calls"

/** Facts about a sent request that its report doesn't contain. */
export interface SentSource {
  /** The operation of the block or of its saved request. Absent if it no longer exists. */
  readonly operation?: Pick<OperationDetail, "name" | "method" | "path" | "parameters" | "body"> | undefined
  /** The saved request that the block sends. */
  readonly instance?: JsonObject | undefined
  readonly overrides?: JsonObject | undefined
}

/** Problems found while a request was converted, by position: `header x-key`. */
export interface Findings {
  /** The placeholders that replace masked text. */
  readonly tokens: string[]
  readonly leftOut: string[]
  /** Strings of digits in the report that may have been integers. */
  readonly integers: string[]
}

export const isMasked = (text: string): boolean => text.includes("***")

export const hasToken = (value: JsonValue | undefined): value is string =>
  typeof value === "string" && /(?<!\\)\{\{/.test(value)

/** Escapes sent text: in a file, `{{` would start a placeholder. */
export const asLiteral = (text: string): string => text.replaceAll(/(\\*)\{\{/g, "$1$1\\{{")

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
