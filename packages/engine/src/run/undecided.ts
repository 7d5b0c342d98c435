// Finds out what a run can't decide: a run with unknown values, because a record masks them, and a run that an agent
// started, because its verdicts would give a secret away bit by bit.

import {
  isComparison,
  isEqual,
  isJsonArray,
  isJsonObject,
  ownOf,
  pointerKeys,
  resolveSegments,
  type Assertion,
  type JsonValue,
} from "@callsheet/format"
import type { Lookup, RunScope, Scope } from "@callsheet/language"
import type { Running } from "./context.ts"
import { failed, type BlockOutcome } from "./failure.ts"
import { MASK, type Masker } from "../outlet/mask.ts"
import { messages } from "../messages.ts"
import type { SessionOptions } from "../session/session-options.ts"

export const unknownSays = messages["replay-undecidable"]

/** Thrown by a runner if its block can't be decided. `runBlock` turns it into the block's outcome. */
export class Undecided extends Error {
  /** What depends on the value: how the run continues, the verdict of a script, or a part of a block that passes otherwise. */
  readonly what: "course" | "script" | "part"

  /** `message` names the course, or says why the part can't be decided. */
  constructor(what: Undecided["what"], message?: string) {
    super(message)
    this.what = what
  }
}

/** Throws if a name contains an unknown value. */
export function requireKnown({ run: { unknown } }: Scope, names: readonly string[], what: string): void {
  if (unknown !== undefined && names.some((name) => name.includes(unknown.text)))
    throw new Undecided("course", what)
}

/** Returns how a block ends that can't be decided. */
export function endUndecided({ id, frame }: Running, { what, message }: Undecided): BlockOutcome {
  const { unknown } = frame.scope.run
  const says = unknown === undefined ? messages["secret-undecidable"] : unknownSays
  const finding = what === "course" ? says.run(id, message) : says.script()
  if (unknown === undefined) return failed(finding)
  if (what === "course") {
    frame.context.stop({ ...finding, problems: [] })
    return failed(finding, { exchanges: [] })
  }
  if (what === "script" && unknown.isStrict) return failed(finding)
  return { status: "passed", undecidable: what === "script" ? finding.message : message }
}

/** Returns what a run must not decide by. Secrets that it learns later count, too. */
export const undecidable = (
  { unknown, withholdsSecrets }: Pick<SessionOptions, "unknown" | "withholdsSecrets">,
  { value }: Masker,
  secretInputs?: RunScope["secretInputs"],
): Pick<RunScope, "unknown" | "withheld" | "secretInputs"> =>
  withholdsSecrets === true
    ? { withheld: { hide: value, isIn: (from) => holdsUnknown(value(from), MASK) }, secretInputs }
    : { unknown }

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
  if (found.isUnknown === true) return true
  if (!found.found || !isComparison(assertion)) return false
  if (unknown !== undefined) return differsInUnknown(assertion, [found.value, expected.value], unknown.text)
  if (withheld === undefined) return false
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
