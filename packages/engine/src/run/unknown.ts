// Finds out what a run can't decide: a replay, because a record contains masked values, and a run that an agent started,
// because its verdicts would give a secret away bit by bit. `unknown` is the text that stands for both.

import {
  isComparison,
  isEqual,
  isJsonArray,
  isJsonObject,
  ownOf,
  pointerKeys,
  resolveSegments,
  type Assertion,
  type Finding,
  type JsonValue,
} from "@callsheet/format"
import type { Lookup, Scope, Withheld } from "@callsheet/language"
import type { Running } from "./context.ts"
import { failed, type BlockOutcome } from "./failure.ts"
import { MASK, type Masker } from "../outlet/mask.ts"
import { messages } from "../messages.ts"

/** Returns how a run finds the secrets that it must not decide by. Secrets that it learns later count, too. */
export const withhold = ({ value }: Masker): Withheld => ({
  hide: value,
  isIn: (from) => holdsUnknown(value(from), MASK),
})

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

/** Returns whether a value at a JSON pointer is unknown, or might be there under an unknown name. */
export function isUnknownAt(
  root: JsonValue,
  pointer: string,
  isUnknown: (value: JsonValue) => boolean,
): boolean {
  const segments = pointerKeys(pointer)
  const found = resolveSegments(root, segments)
  if (found.found) return isUnknown(found.value)
  const holder = resolveSegments(root, segments.slice(0, found.at))
  if (!holder.found) return false
  // The text of a form contains its fields. Otherwise, a missing member may have a masked name.
  return isUnknown(typeof holder.value === "string" ? holder.value : Object.keys(holder.value ?? {}))
}

interface Expected {
  readonly value: JsonValue
  readonly isSecret: boolean
}

/** Returns whether the verdict of an assertion depends on an unknown value or a withheld secret. */
export function isUndecided(
  assertion: Assertion,
  found: Lookup,
  { expected, run }: { readonly expected: Expected; readonly run: Scope["run"] },
): boolean {
  const { unknown, withheld } = run
  if (unknown === undefined && withheld === undefined) return false
  if (found.isUnknown === true) return true
  if (!found.found || !isComparison(assertion)) return false
  if (withheld === undefined)
    return differsInUnknown(assertion, [found.value, expected.value], unknown ?? MASK)
  return (
    expected.isSecret ||
    differsInUnknown(assertion, [withheld.hide(found.value), withheld.hide(expected.value)], MASK)
  )
}

function differsInUnknown(
  { operator }: Assertion,
  [value, expected]: readonly [JsonValue, JsonValue],
  unknown: string,
): boolean {
  if (!holdsUnknown(value, unknown) && !holdsUnknown(expected, unknown)) return false
  const isEquality = operator === "equals" || operator === "notEquals"
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
        const [left, right] = [ownOf(a, name), ownOf(b, name)]
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

/** Ends a replay that can't decide how it continues. Fails the block of a run that an agent started. */
export function stopUndecided({ id, frame }: Running, what: string): BlockOutcome {
  if (frame.scope.run.withheld !== undefined) return failed(messages["secret-undecidable"].run(id, what))
  const finding: Finding<"replay-undecidable"> = messages["replay-undecidable"].run(id, what)
  frame.context.stopUndecided(finding.message)
  return failed(finding, { exchanges: [] })
}
