// Finds the paths at which two JSON values differ. Iterative, because values nest without limit.

import { isJsonArray, isJsonObject, ownOf, type JsonArray, type JsonValue } from "../json/value.ts"
import { isEqual } from "../workflow/equal.ts"

/** Two values to compare. If one doesn't exist, its side is undefined. */
export interface Sides {
  readonly left: JsonValue | undefined
  readonly right: JsonValue | undefined
}

export type ValuePath = readonly (string | number)[]

/** `path` has the index of the left side if an item is on both sides. */
export type ValueDifference = Sides & { readonly path: ValuePath }

type Step = Sides & { readonly key: string | number }

/** Returns the indexes of items to compare. A side without the item is undefined. */
type AlignItems = (left: JsonArray, right: JsonArray, path: () => ValuePath) => Iterable<ItemPair>
export type ItemPair = readonly [left: number | undefined, right: number | undefined]

interface CompareOptions {
  /** Limits the work. No limit by default. */
  readonly maxSteps?: number
  /** By default, items are compared by index. */
  readonly alignItems?: AlignItems
}

/** Two containers of the same kind, and their members that are still to compare. */
interface Open {
  readonly steps: Iterator<Step, void>
  readonly key: string | number | undefined
}

/** Returns whether both sides are arrays or both are objects. */
export const areAlike = (left: JsonValue | undefined, right: JsonValue | undefined): boolean =>
  (isJsonArray(left) && isJsonArray(right)) || (isJsonObject(left) && isJsonObject(right))

/** Yields the differences, depth first. Returns true if it stopped at `maxSteps`. */
export function* compareValues(
  sides: Sides,
  { maxSteps = Infinity, alignItems = byIndex }: CompareOptions = {},
): Generator<ValueDifference, boolean> {
  if (!areAlike(sides.left, sides.right)) {
    if (!isSame(sides)) yield { path: [], ...sides }
    return false
  }
  const open: Open[] = []
  const pathTo = (...keys: readonly (string | number)[]): ValuePath => [
    ...open.flatMap((outer) => outer.key ?? []),
    ...keys,
  ]
  const enter = (inner: Sides, key?: string | number): void => {
    const path = () => pathTo()
    open.push({ steps: stepsInto(inner, (left, right) => alignItems(left, right, path)), key })
  }
  enter(sides)
  for (let taken = 0; taken < maxSteps; taken++) {
    const top = open.at(-1)
    if (top === undefined) return false
    const { value: step } = top.steps.next()
    if (step === undefined) {
      open.pop()
      continue
    }
    const { key, left, right } = step
    if (areAlike(left, right)) enter(step, key)
    else if (!isSame(step)) yield { path: pathTo(key), left, right }
  }
  return true
}

const isSame = ({ left, right }: Sides): boolean =>
  left === right || (left !== undefined && right !== undefined && isEqual(left, right))

export function* byIndex(left: JsonArray, right: JsonArray): Generator<ItemPair, void> {
  const length = Math.max(left.length, right.length)
  for (let at = 0; at < length; at++)
    yield [at < left.length ? at : undefined, at < right.length ? at : undefined]
}

function* stepsInto(
  { left, right }: Sides,
  align: (left: JsonArray, right: JsonArray) => Iterable<ItemPair>,
): Generator<Step, void> {
  if (isJsonArray(left) && isJsonArray(right)) {
    for (const [own, other] of align(left, right))
      yield {
        key: own ?? other ?? 0,
        left: own === undefined ? undefined : left[own],
        right: other === undefined ? undefined : right[other],
      }
  } else if (isJsonObject(left) && isJsonObject(right)) {
    for (const key of Object.keys(left)) yield { key, left: ownOf(left, key), right: ownOf(right, key) }
    for (const key of Object.keys(right))
      if (!Object.hasOwn(left, key)) yield { key, left: undefined, right: ownOf(right, key) }
  }
}
