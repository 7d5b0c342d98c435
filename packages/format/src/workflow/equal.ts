// Compares JSON values deeply. Iterative: a response may nest deeper than the stack.

import { isJsonArray, isJsonObject, type JsonValue, ownOf } from "../json/value.ts"

type Part = JsonValue | undefined

/** Compares two values as JSON. Ignores key order. `0` equals `-0`, and `1e20` equals `100000000000000000000`. */
export function isEqual(left: JsonValue, right: JsonValue): boolean {
  const pairs: [Part, Part][] = [[left, right]]
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [a, b] = pair
    if (a === b) continue
    if (isJsonArray(a)) {
      if (!isJsonArray(b) || a.length !== b.length) return false
      for (let at = 0; at < a.length; at++) pairs.push([a[at], b[at]])
    } else if (isJsonObject(a)) {
      if (!isJsonObject(b) || isJsonArray(b)) return false
      const keys = Object.keys(a)
      if (keys.length !== Object.keys(b).length) return false
      for (const key of keys) {
        if (!Object.hasOwn(b, key)) return false
        pairs.push([ownOf(a, key), ownOf(b, key)])
      }
    } else if (!isEqualNumber(a, b)) return false
  }
  return true
}

// A bigint equals a number if the number is exactly that integer. `==` compares them mathematically.
const isEqualNumber = (a: Part, b: Part): boolean =>
  ((typeof a === "bigint" && typeof b === "number") || (typeof a === "number" && typeof b === "bigint")) &&
  // eslint-disable-next-line eqeqeq
  a == b
