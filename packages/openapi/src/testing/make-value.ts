// For tests: random values that a schema may allow. The checks decide which are valid.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@callsheet/format"
import type { OpenApiDocument } from "../document/document.ts"
import { listMember, member, objectMember, textMember } from "../document/located.ts"
import { WrittenPart } from "../document/part.ts"

export type Chance = () => number

/** Creates a random number generator from 0 to 1. The same seed gives the same numbers. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const pick = <T>(chance: Chance, list: readonly T[]): T => list[Math.floor(chance() * list.length)]!

/** The maximum depth. Deeper schemas get null. */
const MAX_DEPTH = 8

export function makeValue(
  document: OpenApiDocument,
  schema: JsonValue | undefined,
  chance: Chance,
  depth = 0,
): JsonValue {
  const found = schema === undefined ? undefined : new WrittenPart(document, schema, "").dereference()?.value
  if (!isJsonObject(found) || depth > MAX_DEPTH) return depth > MAX_DEPTH ? null : scalar(chance)
  const make = (part: JsonValue | undefined): JsonValue => makeValue(document, part, chance, depth + 1)
  const parts = [...listMember(found, "allOf")]
  for (const keyword of ["oneOf", "anyOf"]) {
    const branches = listMember(found, keyword)
    if (branches.length > 0) parts.push(pick(chance, branches))
  }
  const conditional = member(found, chance() < 0.5 ? "then" : "else")
  if (conditional !== undefined) parts.push(conditional)
  const own = makeOwn(found, chance, make)
  return parts.map(make).reduce<JsonValue>((value, part) => merge(value, part), own ?? null)
}

const merge = (left: JsonValue, right: JsonValue): JsonValue =>
  isJsonObject(left) && isJsonObject(right) ? { ...left, ...right } : left === null ? right : left

type Make = (schema: JsonValue | undefined) => JsonValue

function makeOwn(schema: JsonObject, chance: Chance, make: Make): JsonValue | undefined {
  const values = listMember(schema, "enum")
  if (member(schema, "const") !== undefined) return member(schema, "const")
  if (values.length > 0) return pick(chance, values)
  if (member(schema, "nullable") === true && chance() < 0.2) return null
  const type = member(schema, "type")
  const declared = isJsonArray(type) ? pick(chance, type) : type
  switch (declared ?? (member(schema, "properties") === undefined ? undefined : "object")) {
    case "object":
      return makeObject(schema, chance, make)
    case "array":
      return makeArray(schema, chance, make)
    case "string":
      return makeText(schema)
    case "integer":
    case "number":
      return Number(member(schema, "minimum") ?? member(schema, "maximum") ?? 1)
    case "boolean":
      return chance() < 0.5
    default:
      return undefined
  }
}

function makeObject(schema: JsonObject, chance: Chance, make: Make): JsonObject {
  const required = listMember(schema, "required")
  const made: [string, JsonValue][] = []
  for (const [name, property] of Object.entries(objectMember(schema, "properties") ?? {}))
    if (required.includes(name) || chance() < 0.6) made.push([name, make(property)])
  const further = member(schema, "additionalProperties")
  if (further !== undefined && further !== false) made.push(["further", make(further)])
  for (const property of Object.values(objectMember(schema, "patternProperties") ?? {}))
    made.push(["x-a", make(property)])
  return Object.fromEntries(made)
}

function makeArray(schema: JsonObject, chance: Chance, make: Make): JsonValue {
  const first = listMember(schema, "prefixItems").map(make)
  const count = Math.max(Number(member(schema, "minItems") ?? 0), Math.floor(chance() * 3))
  return [...first, ...Array.from({ length: Math.min(count, 3) }, () => make(member(schema, "items")))]
}

const samples: Readonly<Record<string, string>> = {
  "date-time": "2024-02-29T12:00:00Z",
  date: "2024-02-29",
  email: "a@example.com",
  uuid: "0a1b2c3d-0000-4000-8000-000000000000",
  uri: "https://example.com/a",
  ipv4: "127.0.0.1",
  ipv6: "::1",
}

function makeText(schema: JsonObject): string {
  const example = member(schema, "example") ?? listMember(schema, "examples")[0]
  if (typeof example === "string") return example
  const sample = samples[textMember(schema, "format") ?? ""] ?? "text"
  return sample.padEnd(Number(member(schema, "minLength") ?? 0), "x")
}

const scalar = (chance: Chance): JsonValue => pick<JsonValue>(chance, [null, true, 1, "a"])

/** Returns the value with one part replaced, or with an additional property. */
export function disturb(value: JsonValue, chance: Chance, names: readonly string[]): JsonValue {
  if (chance() < 0.3 || typeof value !== "object" || value === null)
    return pick<JsonValue>(chance, [null, 1, "a", false, [], {}, { [pick(chance, names)]: 1 }, ["a"]])
  if (isJsonArray(value)) {
    const at = Math.floor(chance() * value.length)
    return value.map((item, index) => (index === at ? disturb(item, chance, names) : item))
  }
  const name = chance() < 0.5 ? pick(chance, names) : pick(chance, [...Object.keys(value), "a"])
  return { ...value, [name]: disturb(value[name] ?? null, chance, names) }
}
