// Finds the first differences between what an assertion expected and what it received.

import {
  areAlike,
  compareValues,
  formatPath,
  isEquality,
  type AssertionView,
  type JsonValue,
} from "@callsheet/format"
import { shortenStart } from "../text/preview.ts"
import { differingTexts } from "../text/value-texts.ts"

// Limits the work. More differences between two large values wouldn't help a reader.
const MAX_STEPS = 500_000

/** Returns the first `limit` differences, depth first. `more` is true if there may be others. */
export function differences(expected: JsonValue, actual: JsonValue, limit: number) {
  const found: { path: string; expected: JsonValue | undefined; actual: JsonValue | undefined }[] = []
  const walk = compareValues({ left: expected, right: actual }, { maxSteps: MAX_STEPS })
  for (let next = walk.next(); ; next = walk.next()) {
    if (next.done === true) return { found, more: next.value }
    if (found.length === limit) return { found, more: true }
    const { path, left, right } = next.value
    found.push({ path: formatPath(path), expected: left, actual: right })
  }
}

interface Limits {
  readonly count: number
  /** The maximum number of characters of a path, and of a value. */
  readonly path: number
  readonly value: number
}

export interface ShownDifferences {
  readonly found: readonly {
    /** Empty if the whole values differ. */
    readonly path: string
    /** A text is undefined if its side has no value there. */
    readonly texts: readonly [expected: string | undefined, actual: string | undefined]
  }[]
  readonly more: boolean
}

/** Returns the first differences of two values as text that is safe to print. */
export function shownDifferences(
  expected: JsonValue,
  actual: JsonValue,
  { count, path: pathWidth, value }: Limits,
): ShownDifferences {
  const { found, more } = differences(expected, actual, count)
  const shown = found.map(({ path, expected: left, actual: right }) => {
    const [own, other] = differingTexts(left, right, value)
    const texts = [left === undefined ? undefined : own, right === undefined ? undefined : other] as const
    return { path: shortenStart(path, pathWidth), texts }
  })
  return { found: shown, more }
}

/** Returns where the values of an assertion differ. Undefined if only the whole values can be shown. */
export function assertedDifferences(
  { operator, expected, actual }: AssertionView,
  limits: Limits,
): ShownDifferences | undefined {
  if (!isEquality(operator) || expected === undefined || actual === undefined) return undefined
  const shown = areAlike(expected, actual) ? shownDifferences(expected, actual, limits) : undefined
  return shown?.found.length === 0 ? undefined : shown
}
