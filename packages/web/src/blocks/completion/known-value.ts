// What is known of a value before and after a run: what documents say of it, and what came last. Pure.

import {
  isJsonArray,
  isJsonObject,
  isArrayIndex,
  kindOf,
  stringifyJson,
  type JsonValue,
} from "@callsheet/format"
import type { FieldView } from "@callsheet/server/calls"

export interface KnownValue {
  /** What documents say; several where it may be one of them. */
  readonly fields: readonly FieldView[]
  /** What the last run has shown of it, with secrets masked. */
  readonly seen: readonly JsonValue[]
  /** Members that are known by the format: `status`, `body`. */
  readonly own?: ReadonlyMap<string, KnownValue>
  readonly note?: string
}

export interface Member {
  readonly name: string
  readonly known: KnownValue
}

export const unknownValue: KnownValue = { fields: [], seen: [] }

/** Of an array that came: nobody picks the hundredth. */
const mostItems = 20
const mostMembers = 1_000

/** The members in the order of the format, of the documents, of what came. */
export function membersOf(known: KnownValue): readonly Member[] {
  const names = new Set<string>(known.own?.keys())
  for (const field of known.fields) {
    for (const { name } of field.fields ?? []) names.add(name)
    if (field.items !== undefined) names.add("0")
  }
  for (const value of known.seen) {
    if (isJsonArray(value)) value.slice(0, mostItems).forEach((_, index) => names.add(String(index)))
    else if (isJsonObject(value)) for (const name of Object.keys(value)) names.add(name)
  }
  return [...names].slice(0, mostMembers).map((name) => ({ name, known: memberOf(known, name) }))
}

export function memberOf(known: KnownValue, name: string): KnownValue {
  const own = known.own?.get(name)
  if (own !== undefined) return own
  return {
    fields: known.fields.flatMap((field) => {
      if (isArrayIndex(name) && field.items !== undefined) return [field.items]
      return (field.fields ?? []).filter((inner) => inner.name === name)
    }),
    seen: known.seen.flatMap((value) => {
      if (isJsonArray(value)) return isArrayIndex(name) ? value.slice(Number(name), Number(name) + 1) : []
      return isJsonObject(value) && Object.hasOwn(value, name) ? [value[name] ?? null] : []
    }),
  }
}

export const hasMembers = (known: KnownValue): boolean =>
  (known.own?.size ?? 0) > 0 ||
  known.fields.some(({ fields = [], items }) => fields.length > 0 || items !== undefined) ||
  known.seen.some((value) => typeof value === "object" && value !== null && Object.keys(value).length > 0)

/** `string · "Faust"` */
export function describeKnown({ note, fields, seen }: KnownValue): string {
  const words = note ?? fields.find((field) => field.words !== "")?.words ?? ""
  const [value] = seen
  if (value === undefined) return words
  return [words === "" ? kindOf(value) : words, shortValue(value)].filter((part) => part !== "").join(" · ")
}

/** As a list can show it; empty of what has parts. */
function shortValue(value: JsonValue): string {
  if (isJsonArray(value)) return `${value.length} ${value.length === 1 ? "item" : "items"}`
  if (isJsonObject(value)) return ""
  const text = stringifyJson(value)
  return text.length > 60 ? `${text.slice(0, 60).replace(/[\ud800-\udbff]$/, "")}…` : text
}
