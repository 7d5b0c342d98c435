// What a block and its saved request say of a request that was sent, and which of its texts cannot stand in a file. Pure.

import { isJsonObject, type JsonObject, type JsonValue } from "@callsheet/format"
import type { OperationDetail } from "@callsheet/server/calls"

/** What is known of the request beside what was sent. */
export interface SentSource {
  /** That of the block or of the saved request that it names; absent where there is none any more. */
  readonly operation?: Pick<OperationDetail, "name" | "method" | "path" | "parameters" | "body"> | undefined
  /** The saved request that the block names. */
  readonly instance?: JsonObject | undefined
  /** Those of the block. */
  readonly overrides?: JsonObject | undefined
}

/** Where something of the request stands: `header x-key`. */
export interface Findings {
  /** The token takes the place of what was masked. */
  readonly tokens: string[]
  readonly leftOut: string[]
  /** Texts of digits in the report that may have been integers. */
  readonly integers: string[]
}

export const isMasked = (text: string): boolean => text.includes("***")

export const hasToken = (value: JsonValue | undefined): value is string =>
  typeof value === "string" && /(?<!\\)\{\{/.test(value)

/** What was sent is no token: in a file `{{` would be one. */
export const asLiteral = (text: string): string => text.replaceAll(/(\\*)\{\{/g, "$1$1\\{{")

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const objectIn = (value: JsonValue | undefined, key: string): JsonObject => {
  const inner =
    value !== undefined && isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return inner !== undefined && isJsonObject(inner) ? inner : {}
}
