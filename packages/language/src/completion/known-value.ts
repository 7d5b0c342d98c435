// Known facts about a value: its types in documents, and its values in the last run. Pure.

import {
  isJsonArray,
  isJsonObject,
  isArrayIndex,
  getOrCreate,
  memo,
  kindOf,
  stringifyJson,
  type JsonValue,
  ownOf,
} from "@callsheet/format"

/** A documented type, in the words that users see. A field may be recursive, so members may be read on demand. */
export interface KnownField {
  /** Such as `string` or `array of Book`. Empty if the type is unknown. */
  readonly words: string
  readonly fields?: readonly (KnownField & { readonly name: string })[] | undefined
  readonly items?: KnownField | undefined
}

export interface KnownValue {
  /** The documented types. A value may have one of several. */
  readonly fields: readonly KnownField[]
  /** The values in the last run, with secrets masked. */
  readonly seen: readonly JsonValue[]
  /** The members that the format defines, such as `status` and `body`. */
  readonly own?: ReadonlyMap<string, KnownValue>
  readonly note?: string
}

export interface Member {
  readonly name: string
  readonly known: KnownValue
}

export const unknownValue: KnownValue = { fields: [], seen: [] }

/** The maximum number of suggested array items, more than anyone needs. */
const MAX_ITEMS = 20
const MAX_MEMBERS = 1_000

/** Returns members of the format first, then of documents, then of received values. Kept with the value. */
export const membersOf = memo((known: KnownValue): readonly Member[] => {
  const names = new Set<string>(known.own?.keys())
  for (const field of known.fields) {
    for (const { name } of field.fields ?? []) names.add(name)
    if (field.items !== undefined) names.add("0")
  }
  for (const value of known.seen) {
    if (isJsonArray(value)) value.slice(0, MAX_ITEMS).forEach((_, index) => names.add(String(index)))
    else if (isJsonObject(value)) for (const name of Object.keys(value)) names.add(name)
  }
  return [...names].slice(0, MAX_MEMBERS).map((name) => ({ name, known: memberOf(known, name) }))
})

export function memberOf(known: KnownValue, name: string): KnownValue {
  const own = known.own?.get(name)
  if (own !== undefined) return own
  return {
    fields: known.fields.flatMap((field) => {
      if (isArrayIndex(name) && field.items !== undefined) return [field.items]
      return field.fields === undefined ? [] : (namedFields(field.fields).get(name) ?? [])
    }),
    seen: known.seen.flatMap((value) => {
      if (isJsonArray(value)) return isArrayIndex(name) ? value.slice(Number(name), Number(name) + 1) : []
      return isJsonObject(value) && Object.hasOwn(value, name) ? [ownOf(value, name) ?? null] : []
    }),
  }
}

/** A schema may have a thousand members, so that each look-up in the list would take too long. */
const namedFields = memo((fields: NonNullable<KnownField["fields"]>) => {
  const byName = new Map<string, KnownField[]>()
  for (const field of fields) getOrCreate(byName, field.name, () => []).push(field)
  return byName
})

export const hasMembers = (known: KnownValue): boolean =>
  (known.own?.size ?? 0) > 0 ||
  known.fields.some(({ fields = [], items }) => fields.length > 0 || items !== undefined) ||
  known.seen.some((value) => typeof value === "object" && value !== null && Object.keys(value).length > 0)

/** Such as `string · "Faust"`. */
export function describeKnown({ note, fields, seen }: KnownValue): string {
  const words = note ?? fields.find((field) => field.words !== "")?.words ?? ""
  const [value] = seen
  if (value === undefined) return words
  return [words === "" ? kindOf(value) : words, shortValue(value)].filter((part) => part !== "").join(" · ")
}

/** Returns a short text for lists. Empty for objects and arrays. */
function shortValue(value: JsonValue): string {
  if (isJsonArray(value)) return `${value.length} ${value.length === 1 ? "item" : "items"}`
  if (isJsonObject(value)) return ""
  const text = stringifyJson(value)
  return text.length > 60 ? `${text.slice(0, 60).replace(/[\ud800-\udbff]$/, "")}…` : text
}
