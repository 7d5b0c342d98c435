// Converts a schema of any OpenAPI version to JSON Schema 2020-12, for one direction. Keeps references.

import {
  isJsonArray,
  isJsonObject,
  isNumber,
  type JsonObject,
  type JsonValue,
  ownOf,
  setOwn,
} from "@callsheet/format"
import type { Part } from "../../document/part.ts"
import { type SchemaKeyword, schemaKeywords } from "../../document/schema-keywords.ts"
import { type DynamicScope, enterScope } from "../dynamic-scope.ts"
import { excusedNames, isMarked, isNullable } from "../schema-graph.ts"
import type { Direction } from "../types/answers.ts"
import { discriminate } from "./choose-schema.ts"
import { formats } from "./formats.ts"
import {
  addPart,
  FORBIDS,
  LEADS_NOWHERE,
  NOT_SENT,
  placeSchema,
  type PlainSchema,
  REFERS_TO,
  type SchemaReference,
} from "./plain-schema.ts"

export interface SchemaSurroundings {
  /** The direction of the values. Properties of the other direction aren't required. */
  readonly direction: Direction
  /** True if `contentSchema` applies to text. */
  readonly readsContent: boolean
  /** Returns a reference's target schema, or undefined if the reference is broken. */
  readonly targetOf: (reference: string, site: ReferenceSite) => SchemaReference | undefined
  readonly refer: (part: Part, scope: DynamicScope) => SchemaReference
}

interface ReferenceSite {
  readonly from: Part
  readonly scope: DynamicScope
  /** True for `$dynamicRef`, whose target depends on the scope. */
  readonly isDynamic: boolean
  /** True if a schema includes the target as a base. Its discriminator has then been applied. */
  readonly isBase: boolean
}

interface Reached extends SchemaSurroundings {
  /** Resolves dynamic references. */
  readonly scope: DynamicScope
  /**
   * True if this schema's discriminator has been applied. The schemas that it includes by `allOf` or `$ref` are then
   * bases.
   */
  readonly isBase: boolean
}

/**
 * Normalizes a schema. Ignores a keyword with an invalid value (`required: true`) or in a place where no schema is
 * allowed.
 */
export const normalizeSchema = (schema: Part, reached: Reached): PlainSchema =>
  normalize(schema, { ...reached, excused: new Set(), isOther: false, read: { schemas: 0 } })

const placed = <T extends PlainSchema>(schema: T, { pointer }: Part): T => placeSchema(schema, pointer)

interface Place extends Reached {
  /**
   * Properties that enclosing schemas declare for the other direction: `readOnly` in a request, `writeOnly` in a
   * response. They aren't required.
   */
  readonly excused: ReadonlySet<string>
  /** True if the schema describes a different value than the enclosing schema. */
  readonly isOther: boolean
  readonly read: { schemas: number }
}

type Step = (place: Place) => Place

/** Steps into inner schemas, by the value that they describe. A different value has its own excused names. */
const steps: { readonly [D in "value" | "case" | "part"]: Step } = {
  value: (place) => place,
  case: (place) => ({ ...place, isBase: false }),
  part: (place) => ({ ...place, isBase: false, excused: new Set(), isOther: true }),
}

/** Larger schemas are read in parts on demand: values rarely reach all of them, and aliases may expand without end. */
const MAX_SCHEMAS = 200

function normalize(schema: Part, outer: Place): PlainSchema {
  const { value } = schema
  if (value === false) return placed({ [FORBIDS]: true }, schema)
  if (!isJsonObject(value)) return true
  const bareReference = schema.isOld ? schema.text("$ref") : undefined
  if (bareReference !== undefined) {
    // OpenAPI 3.0.4 section 4.7.23.2 ignores keywords beside a `$ref`, but authors who write `nullable` there expect an
    // effect.
    const result = placed(readReference(bareReference, schema, outer), schema)
    return isNullable(value) ? placed(orNull(result), schema) : result
  }
  if (++outer.read.schemas > (outer.isOther ? MAX_SCHEMAS : 2 * MAX_SCHEMAS))
    return placed({ [REFERS_TO]: outer.refer(schema, outer.scope) }, schema)
  const place = entered(schema, outer)
  const [reference, second] = readReferences(schema, place)
  const result = placed(reference ?? {}, schema)
  for (const [keyword, written] of schema.entries()) {
    const part = holdsSchemas(keyword) ? (schema.holder(keyword) ?? written) : written
    const normal = readers.get(keyword)?.(part, place)
    if (normal !== undefined) setOwn(result, keyword, normal)
  }
  modernize(result, value)
  // Both kinds of reference become `refersTo`, so the second one needs its own schema.
  if (second !== undefined) addPart(result, placed(second, schema))
  discriminate(result, schema)
  return schema.isOld && isNullable(value) ? placed(orNull(result), schema) : result
}

function entered(schema: Part, outer: Place): Place {
  const mark = outer.direction === "request" ? "readOnly" : "writeOnly"
  const excused = new Set([...outer.excused, ...excusedNames(schema, mark)])
  const isResource = !schema.isOld && schema.text("$id") !== undefined
  const scope = isResource ? enterScope(outer.scope, schema) : outer.scope
  return { ...outer, excused, isOther: false, scope }
}

const readReferences = (schema: Part, place: Place): readonly Record<string, unknown>[] =>
  (schema.isOld ? ["$ref"] : ["$ref", "$dynamicRef"]).flatMap((keyword) => {
    const reference = schema.text(keyword)
    return reference === undefined ? [] : [readReference(reference, schema, place, keyword === "$dynamicRef")]
  })

function readReference(
  reference: string,
  from: Part,
  { targetOf, scope, isBase }: Place,
  isDynamic = false,
): Record<string, unknown> {
  const target = targetOf(reference, { from, scope, isDynamic, isBase })
  return target === undefined
    ? { [LEADS_NOWHERE]: { reference, pointer: from.pointer } }
    : { [REFERS_TO]: target }
}

type Reader = (part: Part, place: Place) => unknown

const schemaAt =
  (step: Step): Reader =>
  (part, place) =>
    isJsonObject(part.value) || typeof part.value === "boolean" ? normalize(part, step(place)) : undefined

/** Reads a keyword for the remaining parts. Keeps `false`, so that a violation names this keyword. */
const restAt =
  (step: Step): Reader =>
  (part, place) =>
    typeof part.value === "boolean" ? part.value : schemaAt(step)(part, place)

const schemasAt =
  (step: Step): Reader =>
  (part, place) => {
    const items = part.items()
    return items.length === 0 ? undefined : items.map((item) => normalize(item, step(place)))
  }

const schemaMapAt =
  (step: Step): Reader =>
  (part, place) =>
    isJsonObject(part.value)
      ? Object.fromEntries(part.entries().map(([key, inner]) => [key, normalize(inner, step(place))]))
      : undefined

const amount: Reader = ({ value }) => (isNumber(value) && value >= 0 ? Math.ceil(Number(value)) : undefined)
const limit: Reader = ({ value }) => (isNumber(value) ? value : undefined)
// In 3.0, the limit is a boolean, which `modernize` converts.
const exclusiveLimit: Reader = (part, place) =>
  typeof part.value === "boolean" ? part.value : limit(part, place)
const texts = (value: JsonValue): readonly string[] | undefined =>
  isJsonArray(value) ? value.filter((item) => typeof item === "string") : undefined

const typeNames: ReadonlySet<JsonValue> = new Set(
  "string number integer boolean object array null".split(" "),
)

const rests = new Set(["additionalProperties", "unevaluatedProperties", "items", "unevaluatedItems"])

function schemaReader(keyword: string, { as, describes, isOld }: SchemaKeyword): Reader | undefined {
  if (describes === "nothing" || isOld === true) return undefined
  if (rests.has(keyword)) return restAt(steps[describes])
  return { one: schemaAt, list: schemasAt, map: schemaMapAt }[as](steps[describes])
}

/** The readers of all other keywords. A keyword without a reader is an annotation or has no effect (`$id`, `xml`). */
const otherKeywords: Readonly<Record<string, Reader>> = {
  properties: (part, place) => {
    const normal = schemaMapAt(steps.part)(part, place) as Record<string, PlainSchema> | undefined
    return normal === undefined || place.direction === "response" ? normal : barReadOnly(normal, part)
  },
  contentSchema: (part, place) => (place.readsContent ? schemaAt(steps.part)(part, place) : undefined),
  type: ({ value }) => {
    const names = (isJsonArray(value) ? value : [value]).filter((name) => typeNames.has(name))
    return names.length === 0 ? undefined : names
  },
  enum: ({ value }) => (isJsonArray(value) && value.length > 0 ? value : undefined),
  const: ({ value }) => value,
  format: ({ value }) => (typeof value === "string" && formats.has(value) ? value : undefined),
  pattern: ({ value }) => (typeof value === "string" ? value : undefined),
  required: ({ value }, { excused }) => texts(value)?.filter((name) => !excused.has(name)),
  dependentRequired: (part) =>
    isJsonObject(part.value)
      ? Object.fromEntries(part.entries().map(([name, { value }]) => [name, texts(value) ?? []]))
      : undefined,
  uniqueItems: ({ value }) => (value === true ? true : undefined),
  minimum: limit,
  maximum: limit,
  exclusiveMinimum: exclusiveLimit,
  exclusiveMaximum: exclusiveLimit,
  multipleOf: ({ value }) => (isNumber(value) && value > 0 ? value : undefined),
  ...Object.fromEntries(
    ["Length", "Items", "Properties", "Contains"].flatMap((what) => [
      [`min${what}`, amount],
      [`max${what}`, amount],
    ]),
  ),
}

const readers: ReadonlyMap<string, Reader | undefined> = new Map([
  ...Object.entries(schemaKeywords).map(([keyword, row]) => [keyword, schemaReader(keyword, row)] as const),
  ...Object.entries(otherKeywords),
])

/** Returns whether a keyword contains a list or a map of schemas. */
const holdsSchemas = (keyword: string): boolean => (ownOf(schemaKeywords, keyword)?.as ?? "one") !== "one"

/** Returns whether a keyword takes part in checks, in any version. */
export const isSchemaKeyword = (name: string): boolean => readers.get(name) !== undefined

/** Converts the booleans of 3.0 and 2.0: `exclusiveMinimum: true` makes the minimum exclusive. */
function modernize(result: Record<string, unknown>, schema: JsonObject): void {
  for (const bound of ["minimum", "maximum"]) {
    const exclusive = bound === "minimum" ? "exclusiveMinimum" : "exclusiveMaximum"
    if (typeof result[exclusive] !== "boolean") continue
    delete result[exclusive]
    if (schema[exclusive] !== true || ownOf(result, bound) === undefined) continue
    result[exclusive] = ownOf(result, bound)
    delete result[bound]
  }
}

/** Allows null. The specification limits `nullable` to the `type` beside it, but authors expect it to allow null. */
function orNull(schema: Record<string, unknown>): PlainSchema {
  const keys = Object.keys(schema)
  if (keys.includes("type") && !keys.some((keyword) => speaksOfNull.has(keyword)))
    return { ...schema, type: [...(schema["type"] as unknown[]), "null"] }
  return keys.length === 0 ? schema : { if: { type: "null" }, else: schema }
}

/** Keywords that may forbid null even if the type allows it. */
const speaksOfNull = new Set(["enum", "const", "allOf", "anyOf", "oneOf", "not", "if"])

/** Replaces the schemas of read-only properties (OpenAPI 3.0.4 section 4.7.24.2) with one that allows no value. */
function barReadOnly(normal: Record<string, PlainSchema>, properties: Part): Record<string, PlainSchema> {
  for (const [name, property] of properties.entries()) {
    const schema = ownOf(normal, name)
    if (typeof schema === "object" && isMarked(property, "readOnly"))
      (schema as Record<string, unknown>)[NOT_SENT] = true
  }
  return normal
}
