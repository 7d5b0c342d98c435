// The headers of a message by their names.

import type { Headers } from "@callsheet/format"

/** The texts of a header: several of `set-cookie`, else one at most. */
export function headerTexts(headers: Headers, name: string): readonly string[] {
  const key = name.toLowerCase()
  const value = Object.hasOwn(headers, key) ? headers[key] : undefined
  return value === undefined ? [] : typeof value === "string" ? [value] : value
}
