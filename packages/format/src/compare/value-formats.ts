// The formats of values that usually differ between two runs.

import type { JsonValue } from "../json/value.ts"

/** The format of dates in headers (RFC 9110 section 5.6.7). Contracts have no word for it. */
const HTTP_DATE = "http-date"

const patterns: readonly (readonly [format: string, pattern: RegExp])[] = [
  ["uuid", /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i],
  ["date-time", /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,20})?(?:Z|[+-]\d{2}:\d{2})$/i],
  [HTTP_DATE, /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/],
]

/** Returns whether both values have one of `formats`. If nothing is known about the value, any format counts. */
export function haveFormat(
  left: JsonValue,
  right: JsonValue,
  formats: ReadonlySet<string> | undefined,
): boolean {
  if (typeof left !== "string" || typeof right !== "string") return false
  const counts = (format: string): boolean =>
    formats === undefined || format === HTTP_DATE || formats.has(format)
  return patterns.some(([format, pattern]) => counts(format) && pattern.test(left) && pattern.test(right))
}
