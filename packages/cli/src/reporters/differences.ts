// Finds the paths at which two JSON values differ.

import { formatPath, isEqual, isJsonArray, isJsonObject, ownOf, type JsonValue } from "@callsheet/format"

/** Two values to compare. If one doesn't exist, its side is undefined. */
interface Sides {
  readonly expected?: JsonValue | undefined
  readonly actual?: JsonValue | undefined
}

type Step = Sides & { readonly key: string | number }

/** Two containers of the same kind, their path, and the members that are still to compare. */
interface Open {
  readonly steps: Iterator<Step, void>
  readonly key: string | number | undefined
}

// Limits the work. More differences between two large values wouldn't help a reader.
const MAX_STEPS = 50_000

/** Returns whether both sides are arrays or both are objects. */
export const areAlike = ({ expected, actual }: Sides): boolean =>
  (isJsonArray(expected) && isJsonArray(actual)) || (isJsonObject(expected) && isJsonObject(actual))

/** Returns the first `limit` differences, depth first. `more` is true if there may be others. */
export function differences(expected: JsonValue, actual: JsonValue, limit: number) {
  const found: (Sides & { readonly path: string })[] = []
  const open: Open[] = [{ steps: stepsInto({ expected, actual }), key: undefined }]
  for (let taken = 0; taken < MAX_STEPS; taken++) {
    const top = open.at(-1)
    if (top === undefined) return { found, more: false }
    const { value: step } = top.steps.next()
    if (step === undefined) {
      open.pop()
      continue
    }
    const { key, ...sides } = step
    if (areAlike(sides)) open.push({ steps: stepsInto(sides), key })
    else if (!isSame(sides)) {
      if (found.length === limit) return { found, more: true }
      const keys = open.map((outer) => outer.key).filter((outer) => outer !== undefined)
      found.push({ path: formatPath([...keys, key]), ...sides })
    }
  }
  return { found, more: true }
}

const isSame = ({ expected, actual }: Sides): boolean =>
  expected !== undefined && actual !== undefined && isEqual(expected, actual)

function* stepsInto({ expected, actual }: Sides): Generator<Step, void> {
  if (isJsonArray(expected) && isJsonArray(actual)) {
    const length = Math.max(expected.length, actual.length)
    for (let key = 0; key < length; key++) yield { key, expected: expected[key], actual: actual[key] }
  } else if (isJsonObject(expected) && isJsonObject(actual)) {
    for (const key of Object.keys(expected))
      yield { key, expected: expected[key], actual: ownOf(actual, key) }
    for (const key of Object.keys(actual))
      if (!Object.hasOwn(expected, key)) yield { key, expected: undefined, actual: actual[key] }
  }
}
