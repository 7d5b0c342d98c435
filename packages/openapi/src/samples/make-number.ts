// Makes numbers within the documented bounds.

import { isNumber } from "@callsheet/format"
import type { Part } from "../document/part.ts"

type AnyNumber = number | bigint

/** Yields numbers that the schemas may allow, the best first. `n` is the number of the sample. */
export function* numbersFor(parts: readonly Part[], n: number): Generator<AnyNumber> {
  const steps = membersOf(parts, "multipleOf")
    .map(Number)
    .filter((step) => step > 0)
  const isWhole = parts.some((part) => [part.member("type")].flat().includes("integer"))
  const step = Math.max(...steps, isWhole || steps.length === 0 ? 1 : 0)
  const lows = [...membersOf(parts, "minimum"), ...membersOf(parts, "exclusiveMinimum")]
  const highs = [...membersOf(parts, "maximum"), ...membersOf(parts, "exclusiveMaximum")]
  const low = lows.reduce<AnyNumber | undefined>((a, b) => (a === undefined || b > a ? b : a), undefined)
  const high = highs.reduce<AnyNumber | undefined>((a, b) => (a === undefined || b < a ? b : a), undefined)
  const start = n + 1
  if ((low === undefined || low <= start) && (high === undefined || high >= start)) {
    yield start
    yield start * step
  }
  if (low !== undefined) yield* above(low, step, n)
  if (high !== undefined) yield* below(high, step, n)
  if (low !== undefined && high !== undefined) yield (Number(low) + Number(high)) / 2
  yield 0
}

function* above(low: AnyNumber, step: number, n: number): Generator<AnyNumber> {
  if (typeof low === "bigint") {
    yield* [low + BigInt(n), low + BigInt(n) + 1n]
    return
  }
  const first = Math.ceil(low / step)
  for (const count of [first + n, first + n + 1, first, first + 1]) yield rounded(count * step)
  yield low
}

function* below(high: AnyNumber, step: number, n: number): Generator<AnyNumber> {
  if (typeof high === "bigint") {
    yield* [high - BigInt(n), high - BigInt(n) - 1n]
    return
  }
  const last = Math.floor(high / step)
  for (const count of [last - n, last - n - 1, last, last - 1]) yield rounded(count * step)
  yield high
}

/** Removes the error of a multiplication: `3 * 0.1` becomes 0.3. */
const rounded = (value: number): number => Number(value.toPrecision(15))

const membersOf = (parts: readonly Part[], keyword: string): readonly AnyNumber[] =>
  parts.flatMap((part) => {
    const value = part.member(keyword)
    return isNumber(value) ? [value] : []
  })
