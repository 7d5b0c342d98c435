// Makes the values of stored items: what a client sent, and samples for everything else that the document requires.

import {
  isJsonArray,
  isJsonObject,
  member,
  memberType,
  ownOf,
  setOwn,
  type JsonObject,
  type JsonValue,
  type ValueType,
} from "@callsheet/format"
import {
  plainName,
  schemaType,
  type MediaType,
  type Part,
  type Sampler,
  type Steps,
} from "@callsheet/openapi"

/** Puts a value at a place in new objects. */
export function wrap(place: Steps, value: JsonValue): JsonValue {
  return place.reduceRight<JsonValue>((inner, name) => {
    const outer: Record<string, JsonValue> = {}
    setOwn(outer, name, inner)
    return outer
  }, value)
}

export const valueIn = (body: JsonValue | undefined, place: Steps): JsonValue | undefined =>
  place.reduce<JsonValue | undefined>((here, name) => member(here, name), body)

/** Returns a copy of a body with another value at a place. */
export function replaceIn(body: JsonValue, place: Steps, value: JsonValue): JsonValue {
  const [name, ...rest] = place
  if (name === undefined) return value
  const copy: Record<string, JsonValue> = isJsonObject(body) ? { ...body } : {}
  setOwn(copy, name, replaceIn(ownOf(copy, name) ?? {}, rest, value))
  return copy
}

/** Returns a body that the schema allows and that has as much as possible of the hints, the first of them first. */
export function fitBody(
  sampler: Sampler,
  media: MediaType,
  hints: readonly JsonValue[],
): JsonValue | undefined {
  const sample = sampler.sampleMedia(media, hints)
  return sample.isDecided ? sample.value : undefined
}

/** Returns the schema at a place, or of the items of the array there. Undefined if it isn't written as one. */
export function schemaIn(
  media: MediaType | undefined,
  place: Steps,
  of: "value" | "items",
): Part | undefined {
  const found = place.reduce<Part | undefined>(
    (schema, name) => schema?.dereference()?.inside("properties", name),
    media?.schema,
  )
  const schema = found?.dereference()
  return of === "value" ? schema : schema?.inside("items")?.dereference()
}

export function typeIn(media: MediaType | undefined, place: Steps): ValueType | undefined {
  if (media?.schema === undefined) return undefined
  return place.reduce<ValueType | undefined>(
    (type, name) => type && memberType(type, name),
    schemaType(media.schema, "response"),
  )
}

/** Adds the ids of the containers to an item that has fields with the names of their parameters. */
export function withParents(
  item: JsonObject,
  type: ValueType | undefined,
  params: ReadonlyMap<string, string>,
): JsonObject {
  const found: Record<string, JsonValue> = {}
  for (const [name, text] of params) {
    const field = type?.names().find((own) => plainName(own) === plainName(name))
    if (type === undefined || field === undefined || Object.hasOwn(item, field)) continue
    setOwn(found, field, idValue(text, type, field))
  }
  return { ...found, ...item }
}

/** Returns an id as its field has it: a number if the field is one. */
export function idValue(text: string, item: ValueType | undefined, field: string): JsonValue {
  const kinds = (item && memberType(item, field))?.kinds
  return kinds?.has("number") === true && !kinds.has("string") && /^-?\d{1,15}$/.test(text)
    ? Number(text)
    : text
}

/** Returns the ids to try for the n-th item, as the field and the parameter may want it. */
export const idCandidates = (n: number, name: string, seed = 0): readonly string[] => [
  String(n),
  `3f1c${(seed % 65_536).toString(16).padStart(4, "0")}-7b4d-4c8a-9e21-${n.toString(16).padStart(12, "0")}`,
  `${name}-${n}`,
  `${name.toUpperCase()}${n}`,
  n.toString(16).padStart(24, "0"),
]

/** Names of members that count the items of a list, or say that there are no more. */
const counts = /^(?:total|count|total_?(?:count|items|results|elements|records)|num_?(?:items|results))$/i
const ends = /^(?:next|prev|previous)(?:_?(?:page|cursor|token|url|link|offset))?$/i
const mores = /^(?:has_?more|has_?next|has_?next_?page|is_?truncated)$/i
const sizes = /^(?:size|length|limit|per_?page|page_?size|returned)$/i

/** Returns what the members around a list should say about it. */
export function aboutList(type: ValueType | undefined, total: number, shown: number): JsonObject {
  const found: Record<string, JsonValue> = {}
  for (const name of type?.names() ?? []) {
    const value = counts.test(name)
      ? total
      : ends.test(name)
        ? null
        : mores.test(name)
          ? false
          : sizes.test(name)
            ? shown
            : undefined
    if (value !== undefined) setOwn(found, name, value)
  }
  return found
}

/** Returns the item in a request's body, which may be wrapped as in the response. Undefined if it isn't an object. */
export function sentItem(body: JsonValue | undefined, place: Steps | undefined): JsonObject | undefined {
  const inner = place === undefined || place.length === 0 ? undefined : valueIn(body, place)
  if (isJsonObject(inner)) return inner
  return isJsonObject(body) && !isJsonArray(body) ? body : undefined
}
