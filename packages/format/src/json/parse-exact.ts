// Reads JSON that callsheet has written itself, with all digits of its integers.

import { parseJson } from "./parse-json.ts"
import { setOwn, type JsonValue } from "./value.ts"

/** Parses JSON like `JSON.parse`, but big integers become `bigint`. Throws a SyntaxError for invalid text. */
export function parseExact<T = JsonValue>(text: string): T {
  // Only a long number can lose digits.
  if (!/\d{16}/.test(text)) return JSON.parse(text) as T
  const parsed = parseJson(text, { allowDuplicateKeys: true })
  if (!parsed.ok) throw new SyntaxError("invalid JSON")
  return parsed.value as T
}

/**
 * Returns a value in which big integers are text, for callers that write it with `JSON.stringify`, which throws for
 * them. Returns the same value if it has none.
 */
export function integersAsText<T extends object>(value: T): T {
  const copies = new Map<object, object>()
  let hasInteger = false
  // Iterative, because a response may nest deeper than the stack.
  const copyOf = (from: object): object => {
    const to = Array.isArray(from) ? [] : {}
    copies.set(from, to)
    return to
  }
  copyOf(value)
  for (const [from, to] of copies)
    for (const [key, child] of Object.entries(from) as [string, unknown][]) {
      const isInteger = typeof child === "bigint"
      hasInteger ||= isInteger
      const isObject = typeof child === "object" && child !== null
      const shown = isInteger ? String(child) : isObject ? (copies.get(child) ?? copyOf(child)) : child
      setOwn(to as Record<string, JsonValue>, key, shown as JsonValue)
    }
  return hasInteger ? (copies.get(value) as T) : value
}
