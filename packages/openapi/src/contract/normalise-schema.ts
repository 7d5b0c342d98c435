// A schema of any OpenAPI dialect, and all that it refers to -> one JSON Schema 2020-12 that stands by itself.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@callsheet/format"
import {
  dereference,
  escapePointer,
  member,
  resolveReference,
  textMember,
  type OpenApiDocument,
} from "../document.ts"
import type { Located } from "./find-response.ts"

/** What ajv takes: plain JSON without bigints. */
export type PlainSchema = Record<string, unknown> | boolean

export interface NormalisedSchema {
  readonly schema: Record<string, unknown>
  /** References that lead nowhere; their places hold `true`, which allows anything. */
  readonly broken: readonly string[]
}

/** Bounds that a double would round, for the keyword `exact` of the checker. */
export const EXACT = "x-callsheet-exact"

const exactKeywords = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "const",
  "enum",
]

// Schemas stand in these keywords and nowhere else: `example`, `enum`, `const` and `default` hold data.
const schemaKeywords = new Set([
  "additionalItems",
  "additionalProperties",
  "contains",
  "contentSchema",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
])
const schemaListKeywords = new Set(["allOf", "anyOf", "oneOf", "prefixItems"])
const schemaMapKeywords = new Set(["dependentSchemas", "patternProperties", "properties"])
// Names of the document's own making that mean nothing, or something else, in the schema that is made here.
const droppedKeywords = new Set([
  "$anchor",
  "$defs",
  "$dynamicAnchor",
  "$id",
  "$schema",
  "$comment",
  "definitions",
  "example",
  "examples",
  "externalDocs",
  "xml",
  "default",
  "id",
  "title",
  "description",
  "deprecated",
])

/** A document whose schema is larger than this is a bomb of YAML aliases, not a contract. */
const MAX_SCHEMAS = 200_000

/** Copies the closure of a schema: each referenced schema once, under `$defs`. */
export function normaliseSchema(document: OpenApiDocument, root: Located): NormalisedSchema {
  return new Normaliser(document).run(root)
}

class Normaliser {
  readonly #document: OpenApiDocument
  readonly #isOld: boolean
  readonly #keys = new Map<string, string>()
  readonly #queue: Located[] = []
  readonly #broken: string[] = []
  #schemas = 0

  constructor(document: OpenApiDocument) {
    this.#document = document
    this.#isOld = document.version === "3.0" || document.version === "2.0"
  }

  run(root: Located): NormalisedSchema {
    const $ref = this.#define(root)
    const $defs: Record<string, PlainSchema> = {}
    for (let at = 0; at < this.#queue.length; at++) {
      const located = this.#queue[at]!
      $defs[this.#keys.get(located.pointer)!] = this.#schema(located.value, located.pointer)
    }
    return { schema: { $ref, $defs }, broken: this.#broken }
  }

  #define(located: Located): string {
    let key = this.#keys.get(located.pointer)
    if (key === undefined) {
      key = `s${this.#keys.size}`
      this.#keys.set(located.pointer, key)
      this.#queue.push(located)
    }
    return `#/$defs/${key}`
  }

  #schema(value: JsonValue, pointer: string): PlainSchema {
    if (++this.#schemas > MAX_SCHEMAS) throw new RangeError("the schema is too large")
    if (!isJsonObject(value)) return value !== false
    const reference = textMember(value, "$ref")
    if (reference !== undefined && this.#isOld) return this.#reference(reference)
    const schema = this.#keywords(value, pointer)
    if (reference === undefined) return schema
    const target = this.#reference(reference)
    return Object.keys(schema).length === 0 ? target : { allOf: [target, schema] }
  }

  #reference(reference: string): PlainSchema {
    const found = resolveReference(this.#document, reference)
    if (found.found) return { $ref: this.#define(found) }
    // A plain-name fragment is an `$anchor`, which may well exist; what cannot be followed is not held against anyone.
    if (!/^#[A-Za-z_]/.test(reference)) this.#broken.push(reference)
    return true
  }

  #keywords(value: JsonObject, pointer: string): Record<string, unknown> {
    const schema: Record<string, unknown> = {}
    for (const [keyword, inner] of Object.entries(value)) {
      const at = `${pointer}/${escapePointer(keyword)}`
      if (keyword === "$ref" || droppedKeywords.has(keyword) || keyword.startsWith("x-")) continue
      if (schemaKeywords.has(keyword)) schema[keyword] = this.#items(inner, at)
      else if (schemaListKeywords.has(keyword)) schema[keyword] = this.#list(inner, at)
      else if (schemaMapKeywords.has(keyword)) schema[keyword] = this.#map(inner, at)
      else schema[keyword] = plain(inner)
    }
    addExactBounds(schema, value)
    this.#dropWriteOnly(schema, value, pointer)
    return this.#isOld ? modernise(schema, value) : schema
  }

  #items(value: JsonValue, pointer: string): unknown {
    return isJsonArray(value) ? this.#list(value, pointer) : this.#schema(value, pointer)
  }

  #list(value: JsonValue, pointer: string): unknown {
    return isJsonArray(value) ? value.map((item, index) => this.#schema(item, `${pointer}/${index}`)) : []
  }

  #map(value: JsonValue, pointer: string): unknown {
    if (!isJsonObject(value)) return {}
    const entries = Object.entries(value).map(([key, inner]) => [
      key,
      this.#schema(inner, `${pointer}/${escapePointer(key)}`),
    ])
    return Object.fromEntries(entries) as unknown
  }

  /** OpenAPI 3.0 section 4.7.24.2: a required property that is write-only is required of requests alone. */
  #dropWriteOnly(schema: Record<string, unknown>, value: JsonObject, pointer: string): void {
    const required = schema["required"]
    const properties = member(value, "properties")
    if (!Array.isArray(required) || properties === undefined) return
    schema["required"] = required.filter((name: unknown) => {
      const property = typeof name === "string" ? member(properties, name) : undefined
      const found = property === undefined ? undefined : dereference(this.#document, property, pointer)
      return member(property, "writeOnly") !== true && member(found?.value, "writeOnly") !== true
    })
  }
}

/** What 3.0 and 2.0 write otherwise than JSON Schema 2020-12. */
function modernise(schema: Record<string, unknown>, value: JsonObject): Record<string, unknown> {
  for (const [limit, exclusive] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    if (typeof schema[exclusive] !== "boolean") continue
    if (schema[exclusive] && schema[limit] !== undefined) {
      schema[exclusive] = schema[limit]
      delete schema[limit]
    } else delete schema[exclusive]
  }
  const isNullable = member(value, "nullable") === true || member(value, "x-nullable") === true
  delete schema["nullable"]
  if (!isNullable) return schema
  if (Array.isArray(schema["enum"]) && !schema["enum"].includes(null))
    schema["enum"] = [...(schema["enum"] as unknown[]), null]
  const { type } = schema
  if (typeof type === "string") return { ...schema, type: [type, "null"] }
  // Without a type the word has no meaning by the letter; everyone who writes it so means it (`allOf` + `nullable`).
  return Array.isArray(type) || Object.keys(schema).length === 0
    ? schema
    : { anyOf: [{ type: "null" }, schema] }
}

/** A copy without bigints: ajv knows none. */
function plain(value: JsonValue): unknown {
  if (typeof value === "bigint") return Number(value)
  if (isJsonArray(value)) return value.map(plain)
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
    : value
}

function addExactBounds(schema: Record<string, unknown>, value: JsonObject): void {
  const bounds = exactKeywords.filter((keyword) => Object.hasOwn(value, keyword))
  if (bounds.length === 0 || bounds.every((keyword) => keyword === "enum" && !holdsNumber(value[keyword]!)))
    return
  schema[EXACT] = Object.fromEntries(bounds.map((keyword) => [keyword, value[keyword]]))
}

const holdsNumber = (value: JsonValue): boolean =>
  isJsonArray(value) && value.some((item) => typeof item === "number" || typeof item === "bigint")
