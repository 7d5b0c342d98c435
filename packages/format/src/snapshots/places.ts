// Places in a body as text: `/body/items/*/id`. `*` stands for every index of an array, and `~2` for `*` in a name.

import { ANY_KEY, escapePointer, unescapeKey } from "../json/pointer-text.ts"
import { isJsonArray, isJsonObject, ownOf, type JsonValue } from "../json/value.ts"
import type { ValuePath } from "../compare/compare-values.ts"

/** A segment is 0 for every index of an array. */
export type PlacePath = readonly (string | 0)[]

export const placeOfPath = (path: ValuePath): string =>
  ["/body", ...path.map((step) => (typeof step === "number" ? ANY_KEY : escapeName(step)))].join("/")

/** Escapes a `*` anywhere in a name, because the shape of the file allows no other. */
const escapeName = (name: string): string => escapePointer(name).replaceAll("*", "~2")

export const pathOfPlace = (place: string): PlacePath =>
  place
    .split("/")
    .slice(2)
    .map((step) => (step === ANY_KEY ? 0 : unescapeKey(step)))

/** Returns whether the path is the place, or leads to a part of it. */
export const isInPlace = (path: ValuePath, place: PlacePath): boolean =>
  place.every((step, at) => (step === 0 ? typeof path[at] === "number" : path[at] === step))

/** Returns whether a body may have a value at the place. An empty array may have items, and null any value, next time. */
export function hasPlace(body: JsonValue | undefined, place: PlacePath): boolean {
  let values = body === undefined ? [] : [body]
  for (const step of place) {
    const next: JsonValue[] = []
    for (const value of values) {
      if (value === null || (step === 0 && isJsonArray(value) && value.length === 0)) return true
      if (step === 0) {
        if (isJsonArray(value)) for (const item of value) next.push(item)
      } else {
        const found = isJsonObject(value) ? ownOf(value, step) : undefined
        if (found !== undefined) next.push(found)
      }
    }
    values = next
  }
  return values.length > 0
}
