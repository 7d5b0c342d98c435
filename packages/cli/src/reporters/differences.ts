// The paths at which two JSON values differ.

import { formatPath, isEqual, isJsonArray, isJsonObject, type JsonValue } from "@callsheet/format"

interface Difference {
  /** Empty if the values themselves differ. */
  readonly path: string
  /** Undefined if the value was not expected at all. */
  readonly expected: JsonValue | undefined
  /** Undefined if the value is missing. */
  readonly actual: JsonValue | undefined
}

type Sides = Omit<Difference, "path">
type Step = Sides & { readonly key: string | number }

/** The iterators over two containers of one kind that are still to be compared, and their path. */
interface Open {
  readonly steps: Iterator<Step, void>
  readonly key: string | number | undefined
}

// More steps would not help a reader of two large values.
const MAX_STEPS = 50_000

/** Returns the first `limit` differences, depth first, and `more` if there may be others. */
export function differences(
  expected: JsonValue,
  actual: JsonValue,
  limit: number,
): { readonly found: readonly Difference[]; readonly more: boolean } {
  const first = stepsInto({ expected, actual })
  if (first === undefined) {
    return { found: isEqual(expected, actual) ? [] : [{ path: "", expected, actual }], more: false }
  }
  const found: Difference[] = []
  const open: Open[] = [{ steps: first, key: undefined }]
  for (let taken = 0; taken < MAX_STEPS; taken++) {
    const top = open.at(-1)
    if (top === undefined) return { found, more: false }
    const { value: step } = top.steps.next()
    if (step === undefined) {
      open.pop()
      continue
    }
    const { key, ...sides } = step
    const steps = stepsInto(sides)
    if (steps !== undefined) open.push({ steps, key })
    else if (!isSame(sides)) {
      if (found.length === limit) return { found, more: true }
      found.push({ path: pathTo(open, key), ...sides })
    }
  }
  return { found, more: true }
}

const isSame = ({ expected, actual }: Sides): boolean =>
  expected !== undefined && actual !== undefined && isEqual(expected, actual)

function pathTo(open: readonly Open[], last: string | number): string {
  const keys = open.map(({ key }) => key).filter((key) => key !== undefined)
  return formatPath([...keys, last])
}

function stepsInto({ expected, actual }: Sides): Iterator<Step, void> | undefined {
  if (isJsonArray(expected) && isJsonArray(actual)) return itemSteps(expected, actual)
  if (isJsonObject(expected) && isJsonObject(actual)) return memberSteps(expected, actual)
  return undefined
}

function* itemSteps(expected: readonly JsonValue[], actual: readonly JsonValue[]): Generator<Step, void> {
  const length = Math.max(expected.length, actual.length)
  for (let key = 0; key < length; key++) yield { key, expected: expected[key], actual: actual[key] }
}

type Members = Readonly<Record<string, JsonValue>>

function* memberSteps(expected: Members, actual: Members): Generator<Step, void> {
  for (const key of Object.keys(expected)) yield { key, expected: expected[key], actual: own(actual, key) }
  for (const key of Object.keys(actual)) {
    if (!Object.hasOwn(expected, key)) yield { key, expected: undefined, actual: actual[key] }
  }
}

const own = (members: Members, key: string): JsonValue | undefined =>
  Object.hasOwn(members, key) ? members[key] : undefined
