// Finds out what a replay can't decide, because a record contains masked values. `unknown` is the text that stands for them.

import {
  isComparison,
  isEqual,
  isJsonArray,
  isJsonObject,
  type Assertion,
  type Finding,
  type JsonValue,
} from "@callsheet/format"
import type { lookUp } from "@callsheet/language"
import type { Running } from "./context.ts"
import { failed, type BlockOutcome } from "./failure.ts"
import { messages } from "./messages.ts"

/** Returns whether a value or a part of it is unknown. Iterative, because a response may nest deeper than the stack. */
export function holdsUnknown(value: JsonValue, unknown: string): boolean {
  const work: JsonValue[] = [value]
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    if (typeof item === "string") {
      if (item.includes(unknown)) return true
    } else if (isJsonArray(item)) for (const child of item) work.push(child)
    else if (isJsonObject(item))
      for (const [name, child] of Object.entries(item)) {
        if (name.includes(unknown)) return true
        work.push(child)
      }
  }
  return false
}

/** Returns whether the verdict of an assertion depends on an unknown value. */
export function isUndecided(
  assertion: Assertion,
  found: ReturnType<typeof lookUp>,
  { expected, unknown }: { readonly expected: JsonValue; readonly unknown: string },
): boolean {
  if (!found.found) return false
  if (found.isUnknown === true) return true
  if (!isComparison(assertion)) return false
  const { value } = found
  if (!holdsUnknown(value, unknown) && !holdsUnknown(expected, unknown)) return false
  const isEquality = assertion.operator === "equals" || assertion.operator === "notEquals"
  return !isEquality || !differInKnown(value, expected, unknown)
}

/** Returns whether two values differ in a part that both sides know. */
function differInKnown(one: JsonValue, other: JsonValue, unknown: string): boolean {
  const work: [JsonValue, JsonValue][] = [[one, other]]
  for (let pair = work.pop(); pair !== undefined; pair = work.pop()) {
    const [a, b] = pair
    if (isJsonArray(a) && isJsonArray(b)) {
      if (a.length !== b.length) return true
      for (const [at, item] of a.entries()) work.push([item, b[at] ?? null])
    } else if (isJsonObject(a) && isJsonObject(b)) {
      const names = new Set([...Object.keys(a), ...Object.keys(b)])
      if ([...names].some((name) => name.includes(unknown))) continue
      for (const name of names) {
        const [left, right] = [a[name], b[name]]
        if (left === undefined || right === undefined) return true
        work.push([left, right])
      }
    } else {
      const isKnown = [a, b].every((side) => typeof side !== "string" || !side.includes(unknown))
      if (isKnown && !isEqual(a, b)) return true
    }
  }
  return false
}

/** Ends the run, because a replay can't decide how it continues. */
export function stopUndecided({ id, frame }: Running, what: string): BlockOutcome {
  const finding: Finding<"replay-undecidable"> = messages["replay-undecidable"].run(id, what)
  frame.context.stopUndecided(finding.message)
  return failed(finding, { exchanges: [] })
}
