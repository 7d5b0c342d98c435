// Properties of the comparison on random documents: a rewritten document is the same, and swapping sides mirrors changes.

import { describe, expect, it } from "vitest"
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@callsheet/format"
import { documentOf, type Version } from "../testing/document-of.ts"
import { type Chance, chanceOf } from "../testing/make-value.ts"
import { changedOperations } from "./changed-operations.ts"
import { compareDocuments } from "./compare-documents.ts"

const SEEDS = 20

interface Content extends JsonObject {
  readonly paths: JsonObject
  readonly components: JsonObject
}

const pick = <T>(chance: Chance, list: readonly T[]): T => list[Math.floor(chance() * list.length)]!

const names = ["A", "B", "C", "D"] as const
const keys = ["id", "name", "total", "items", "description", "*"] as const

/** Makes a schema that every version from 3.0 on can say. */
function makeSchema(chance: Chance, depth = 0): JsonObject {
  const inner = (): JsonObject => makeSchema(chance, depth + 1)
  if (chance() < 0.25) return { $ref: `#/components/schemas/${pick(chance, names)}` }
  const kinds =
    depth > 3
      ? ["string", "integer", "enum"]
      : ["string", "integer", "enum", "object", "array", "allOf", "oneOf"]
  switch (pick(chance, kinds)) {
    case "string":
      return { type: "string", ...(chance() < 0.3 ? { maxLength: Math.floor(chance() * 9) } : {}) }
    case "integer":
      return { type: "integer", ...(chance() < 0.3 ? { minimum: Math.floor(chance() * 9) } : {}) }
    case "enum":
      return { type: "string", enum: ["a", "b", "c"].slice(Math.floor(chance() * 3)) }
    case "array":
      return { type: "array", items: inner() }
    case "allOf":
      return { allOf: [makeObject(chance, inner), makeObject(chance, inner)] }
    case "oneOf":
      return { oneOf: [{ type: "boolean" }, makeObject(chance, inner)] }
    default:
      return makeObject(chance, inner)
  }
}

function makeObject(chance: Chance, inner: () => JsonObject): JsonObject {
  const properties = Object.fromEntries(keys.filter(() => chance() < 0.5).map((key) => [key, inner()]))
  const required = Object.keys(properties).filter(() => chance() < 0.4)
  return {
    type: "object",
    properties,
    ...(required.length === 0 ? {} : { required }),
    ...(chance() < 0.2 ? { additionalProperties: false } : {}),
  }
}

function makeContent(chance: Chance): Content {
  const json = (): JsonObject => ({ content: { "application/json": { schema: makeSchema(chance) } } })
  const operation = (): JsonObject => ({
    parameters: ["p", "q"]
      .filter(() => chance() < 0.6)
      .map((name) => ({ name, in: "query", schema: { type: "string" } })),
    ...(chance() < 0.6 ? { requestBody: json() } : {}),
    responses: { "200": { description: "ok", ...json() }, "404": { description: "no", ...json() } },
  })
  return {
    paths: { "/a": { get: operation(), post: operation() }, "/b": { get: operation() } },
    components: {
      schemas: Object.fromEntries(
        names.map((name) => [name, makeObject(chance, () => makeSchema(chance, 1))]),
      ),
    },
  }
}

type Rewrite = (content: Content, chance: Chance) => Content

/** Changes every object, from the inside out. */
const mapValues = (value: JsonValue, change: (object: JsonObject) => JsonObject): JsonValue => {
  if (isJsonArray(value)) return value.map((item) => mapValues(item, change))
  if (!isJsonObject(value)) return value
  return change(
    Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapValues(inner, change)])),
  )
}

const shuffle = <T>(list: readonly T[], chance: Chance): readonly T[] =>
  list
    .map((item) => [chance(), item] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, item]) => item)

const rename = (text: string): string => text.replace(/schemas\/(\w)$/, "schemas/Other$1")

const rewrites: Readonly<Record<string, Rewrite>> = {
  "the same document": (content) => content,
  "other orders": (content, chance) =>
    mapValues(content, (object) =>
      Object.fromEntries(
        shuffle(Object.entries(object), chance).map(([key, value]) => [
          key,
          ["required", "enum", "oneOf", "parameters"].includes(key) && isJsonArray(value)
            ? shuffle(value, chance)
            : value,
        ]),
      ),
    ) as Content,
  "inlined references": (content, chance) => {
    const schemas = content.components["schemas"] as JsonObject
    return mapValues(content, (object) => {
      const reference = object["$ref"]
      const target =
        typeof reference === "string" && chance() < 0.5 ? schemas[reference.slice(-1)] : undefined
      return isJsonObject(target) ? target : object
    }) as Content
  },
  "other names of components": ({ components, ...content }) => {
    const renamed = mapValues({ ...content, components }, (object) => {
      const reference = object["$ref"]
      return typeof reference === "string" ? { $ref: rename(reference) } : object
    }) as Content
    const schemas = renamed.components["schemas"] as JsonObject
    return {
      ...renamed,
      components: {
        schemas: Object.fromEntries(
          Object.entries(schemas).map(([name, schema]) => [`Other${name}`, schema]),
        ),
      },
    }
  },
  "references as allOf": (content) =>
    mapValues(content, (object) =>
      typeof object["$ref"] === "string" ? { allOf: [{ $ref: object["$ref"] }], description: "d" } : object,
    ) as Content,
}

const read = (content: Content, version: Version, as: "json" | "yaml" = "json") =>
  documentOf({ version, as, ...content })

const seeds = Array.from({ length: SEEDS }, (_, index) => index + 1)

describe("a rewritten document", () => {
  it.each(Object.keys(rewrites))("has no changes: %s", async (name) => {
    const rewrite = rewrites[name]!
    for (const seed of seeds) {
      const chance = chanceOf(seed)
      const content = makeContent(chance)
      const [before, after] = await Promise.all([
        read(content, "3.1"),
        read(rewrite(content, chance), "3.1", seed % 5 === 0 ? "yaml" : "json"),
      ])
      const said = compareDocuments(before, after).map(
        ({ operation, path, message }) => `${seed} ${operation} ${path} ${message}`,
      )
      expect(said).toEqual([])
      if (name !== "references as allOf" && name !== "other orders")
        expect(changedOperations(before, after)).toEqual([])
    }
  })

  it("has no changes: another version", async () => {
    for (const seed of seeds) {
      const content = makeContent(chanceOf(seed))
      const [before, after] = await Promise.all([read(content, "3.0"), read(content, "3.1")])
      expect(
        compareDocuments(before, after).map(({ path, message }) => `${seed} ${path} ${message}`),
      ).toEqual([])
    }
  })
})

const mirrored: Readonly<Record<string, string>> = {
  "parameter-added": "parameter-removed",
  "property-added": "property-removed",
  "property-required": "property-optional",
  "body-added": "body-removed",
  "variant-added": "variant-removed",
}

const mirror: ReadonlyMap<string, string> = new Map(
  Object.entries(mirrored).flatMap(([one, other]) => [
    [one, other],
    [other, one],
  ]),
)

describe("two documents", () => {
  it("have mirrored changes if they change places", async () => {
    for (const seed of seeds) {
      const chance = chanceOf(seed)
      const [content, other] = [makeContent(chance), makeContent(chance)]
      // Few differences, so that schemas stay comparable.
      const mixed = { ...other, components: content.components }
      const [before, after] = await Promise.all([read(content, "3.1"), read(mixed, "3.1")])
      const there = compareDocuments(before, after).map(
        ({ kind, operation, path }) => `${mirror.get(kind) ?? kind} ${operation} ${path}`,
      )
      const back = compareDocuments(after, before).map(
        ({ kind, operation, path }) => `${kind} ${operation} ${path}`,
      )
      expect(new Set(back), `seed ${seed}`).toEqual(new Set(there))
    }
  })

  it("have changes only in operations that differ", async () => {
    for (const seed of seeds) {
      const chance = chanceOf(seed)
      const content = makeContent(chance)
      const other = { ...content, components: makeContent(chance).components }
      const [before, after] = await Promise.all([read(content, "3.1"), read(other, "3.1")])
      const differing = new Set(changedOperations(before, after))
      const changed = new Set(compareDocuments(before, after).map(({ operation }) => operation))
      expect([...changed].filter((operation) => !differing.has(operation))).toEqual([])
    }
  })
})
