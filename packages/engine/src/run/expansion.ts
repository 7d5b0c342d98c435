// Limits how often a value may repeat other values. Twice in each of 40 steps would be more than any computer can hold.

import { isJsonArray, type JsonValue } from "@callsheet/format"

/** The maximum size of repeated parts, in characters of JSON. */
export const MAX_REPEATED = 16 * 1024 * 1024

/** Above this size, nothing is counted any more, because the value is too large in any case. */
const MAX_COUNTED = 64 * MAX_REPEATED

/** The sizes of values that a run has made out of others. Those are parts of later ones, and aren't counted again. */
const sizes = new WeakMap<object, number>()

/** Returns whether a value is one that others may repeat: an object, an array or a long string. */
export const isLarge = (value: JsonValue): boolean =>
  typeof value === "object" ? value !== null : typeof value === "string" && value.length >= LONG

/** Returns whether a value repeats its own parts too often. Keeps its size, so that this is fast for later values. */
export function repeatsTooMuch(made: JsonValue): boolean {
  const size = sizeOf(made, (part) => (typeof part === "object" ? sizes.get(part) : undefined))
  if (typeof made === "object" && made !== null) sizes.set(made, size)
  if (size <= MAX_REPEATED) return false
  const seen = new Set<object | string>()
  // A part counts only where it occurs first.
  const once = sizeOf(made, (part) => (seen.size < seen.add(part).size ? undefined : 0))
  return size - once > MAX_REPEATED
}

/** The length of a string from which a repetition of it counts. */
const LONG = 64

/** Counts the characters of a value. `knownSize` returns the size of a part that isn't counted again. Doesn't recurse. */
function sizeOf(value: JsonValue, knownSize: (part: object | string) => number | undefined): number {
  let size = 0
  const work: JsonValue[] = [value]
  for (let part = work.pop(); part !== undefined && size <= MAX_COUNTED; part = work.pop()) {
    if (typeof part === "string") size += isLarge(part) ? (knownSize(part) ?? part.length) : part.length
    else if (typeof part === "object" && part !== null) {
      const known = knownSize(part)
      size += known ?? 2
      if (known !== undefined) continue
      if (isJsonArray(part)) for (const child of part) work.push(child)
      else
        for (const [key, child] of Object.entries(part)) {
          size += key.length
          work.push(child)
        }
    }
    size += 2
  }
  return size
}
