// Shortens a value for the terminal. Masks strings first, because part of a secret can't be recognized.

import {
  compareValues,
  differenceWindows,
  isJsonArray,
  isJsonObject,
  setOwn,
  type JsonArray,
  type JsonValue,
  type Sides,
  type TextWindow,
  type ValueDifference,
  type ValuePath,
  member,
} from "@callsheet/format"
import type { Masker } from "../outlet/mask.ts"

const MAX_CHARACTERS = 4_000
const MAX_VALUES = 500
const MAX_DEPTH = 50
/** A body's large member leaves values for the ones after it, such as an error after the data. */
const RESERVED_VALUES = 20
const MAX_RESERVED = 10
/** The number of characters after the cut that are also masked. Shorter secrets are always found. */
const MARGIN_CHARACTERS = 64 * 1024

export const excerptOf = (value: JsonValue, masker: Masker): JsonValue =>
  masker.value(cut(value, { left: MAX_VALUES }, masker))

const ELLIPSIS = "…"

function cut(value: JsonValue, budget: { left: number }, masker: Masker, depth = 0): JsonValue {
  budget.left--
  if (typeof value === "string") return cutText(value, masker)
  if (isJsonArray(value)) {
    if (depth > MAX_DEPTH) return [ELLIPSIS]
    const items: JsonValue[] = []
    for (const item of value) {
      if (budget.left <= 0) return [...items, `${ELLIPSIS} ${value.length - items.length} more`]
      items.push(cut(item, budget, masker, depth + 1))
    }
    return items
  }
  if (!isJsonObject(value)) return value
  if (depth > MAX_DEPTH) return { [ELLIPSIS]: ELLIPSIS }
  const entries: [string, JsonValue][] = []
  const members = Object.entries(value)
  for (const [key, member] of members) {
    if (budget.left <= 0) {
      entries.push([`${ELLIPSIS} ${members.length - entries.length} more`, ELLIPSIS])
      break
    }
    const after = Math.min(members.length - entries.length - 1, MAX_RESERVED)
    const reserved = depth === 0 ? after * RESERVED_VALUES : 0
    const own = { left: budget.left - reserved }
    entries.push([key, cut(member, own, masker, depth + 1)])
    budget.left = own.left + reserved
  }
  // `fromEntries` defines own properties, even for the key `__proto__`.
  return Object.fromEntries(entries)
}

function cutText(text: string, masker: Masker): string {
  if (text.length <= MAX_CHARACTERS) return text
  const masked = masker.text(text.slice(0, MAX_CHARACTERS + MARGIN_CHARACTERS))
  return `${masked.slice(0, MAX_CHARACTERS)}${ELLIPSIS} (${text.length} characters)`
}

/** The limits of what two sides show: their differences, the steps to find them, and the index of an item. */
const MAX_DIFFERENCES = 100
const MAX_STEPS = 1_000_000
const MAX_INDEX = 20_000

/** Shortens two values so that their differences stay. "…" stands for items and text that both have. */
export function excerptOfSides(expected: JsonValue, actual: JsonValue, masker: Masker) {
  const [left, right] = [masker.value(expected), masker.value(actual)]
  const found = isSmall(left) && isSmall(right) ? [] : firstDifferences(left, right)
  const [own, other]: [JsonValue[], JsonValue[]] = [[], []]
  const [ownBudget, otherBudget] = [{ left: MAX_VALUES }, { left: MAX_VALUES }]
  for (const { path, ...sides } of found) {
    const [from, to] = cutSides(sides, (value, isOwn) => cut(value, isOwn ? ownBudget : otherBudget, masker))
    place(own, { source: [left], path: [0, ...path], value: from })
    place(other, { source: [right], path: [0, ...path], value: to })
  }
  return [own[0] ?? excerptOf(left, masker), other[0] ?? excerptOf(right, masker)] as const
}

/** Returns whether an excerpt contains the whole value. */
function isSmall(value: JsonValue): boolean {
  const pending: JsonValue[] = [value]
  for (let seen = 0; seen < MAX_VALUES; seen++) {
    const next = pending.pop()
    if (next === undefined) return true
    if (typeof next === "string" && next.length > MAX_CHARACTERS) return false
    if (typeof next !== "object" || next === null) continue
    const members = Object.values(next)
    if (members.length > MAX_VALUES) return false
    pending.push(...members)
  }
  return false
}

function firstDifferences(left: JsonValue, right: JsonValue): readonly ValueDifference[] {
  const found: ValueDifference[] = []
  for (const difference of compareValues({ left, right }, { maxSteps: MAX_STEPS })) {
    if (difference.path.every((key) => typeof key === "string" || key <= MAX_INDEX)) found.push(difference)
    if (found.length === MAX_DIFFERENCES) break
  }
  return found
}

type Part = JsonValue | undefined

function cutSides(
  { left, right }: Sides,
  cutOne: (value: JsonValue, isLeft: boolean) => JsonValue,
): readonly [Part, Part] {
  if (typeof left !== "string" || typeof right !== "string")
    return [
      left === undefined ? left : cutOne(left, true),
      right === undefined ? right : cutOne(right, false),
    ]
  const [own, other] = differenceWindows(left, right, MAX_CHARACTERS)
  return [windowText(own), windowText(other)]
}

/** Returns a part of a text, with "…" for what is missing. */
export const windowText = ({ text, isCutBefore, isCutAfter }: TextWindow): string =>
  `${isCutBefore ? ELLIPSIS : ""}${text}${isCutAfter ? ELLIPSIS : ""}`

interface Excerpt {
  /** The whole value. The containers on the path are copied from it without their other members. */
  readonly source: JsonArray
  readonly path: ValuePath
  readonly value: Part
}

type Container = JsonValue[] | Record<string, JsonValue>

function place(root: Container, { source, path, value }: Excerpt): void {
  let into = root
  let from: Part = source
  for (const [depth, key] of path.entries()) {
    if (Array.isArray(into) && isJsonArray(from))
      while (into.length < Math.min(Number(key), from.length)) into.push(ELLIPSIS)
    from = memberOf(from, key)
    if (depth === path.length - 1) return value === undefined ? undefined : setMember(into, key, value)
    const inner = memberOf(into, key) ?? (isJsonArray(from) ? [] : {})
    setMember(into, key, inner)
    into = inner as Container
  }
}

function memberOf(container: Part, key: string | number): Part {
  if (isJsonArray(container)) return container[Number(key)]
  return member(container, String(key))
}

function setMember(container: Container, key: string | number, value: JsonValue): void {
  if (Array.isArray(container)) container[Number(key)] = value
  else setOwn(container, String(key), value)
}
