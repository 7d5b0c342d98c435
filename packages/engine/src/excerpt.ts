// Shortens a value for the terminal. Masks strings first, because part of a secret can't be recognized.

import { isJsonArray, isJsonObject, type JsonValue } from "@callsheet/format"
import type { Masker } from "./mask.ts"

const MAX_CHARACTERS = 4_000
const MAX_VALUES = 500
const MAX_DEPTH = 50
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
    entries.push([key, cut(member, budget, masker, depth + 1)])
  }
  // `fromEntries` defines own properties, even for the key `__proto__`.
  return Object.fromEntries(entries)
}

function cutText(text: string, masker: Masker): string {
  if (text.length <= MAX_CHARACTERS) return text
  const masked = masker.text(text.slice(0, MAX_CHARACTERS + MARGIN_CHARACTERS))
  return `${masked.slice(0, MAX_CHARACTERS)}${ELLIPSIS} (${text.length} characters)`
}
