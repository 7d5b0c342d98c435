// One schema object of any OpenAPI dialect -> JSON Schema 2020-12 as ajv takes it, for values of one direction. References stay.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@callsheet/format"
import { isOldDialect, type OpenApiDocument } from "../../document/document.ts"
import { escapePointer, type Located, member, textMember } from "../../document/located.ts"
import { type SchemaKeyword, schemaKeywords } from "../../document/schema-keywords.ts"
import type { DynamicScope } from "../dynamic-scope.ts"
import { excusedNames, isMarked, isNullable } from "../schema-graph.ts"
import type { Direction } from "../types/answers.ts"
import { discriminate } from "./choose-schema.ts"
import { EXACT_TYPE, isNumber } from "./exact-keywords.ts"
import { formats } from "./formats.ts"
import {
  addPart,
  FORBIDS,
  LEADS_NOWHERE,
  NOT_SENT,
  placeSchema,
  type PlainSchema,
  REFERS_TO,
} from "./plain-schema.ts"

export interface SchemaSurroundings {
  readonly document: OpenApiDocument
  /** The way that values go: what only the other direction carries need not be there. */
  readonly direction: Direction
  /** The id of the schema that a reference leads to; undefined where it leads nowhere. */
  readonly idOf: (reference: string, site: ReferenceSite) => string | undefined
  readonly idOfPart: (part: Located, scope: DynamicScope) => string
  /** What dynamic references mean in a schema that is reached from one of a given scope. */
  readonly enter: (scope: DynamicScope, schema: Located) => DynamicScope
}

interface ReferenceSite {
  readonly from: string
  readonly scope: DynamicScope
  /** Of `$dynamicRef`, whose target depends on the scope. */
  readonly isDynamic: boolean
  /** Of a reference by which a schema includes another one, whose discriminator has chosen it already. */
  readonly isBase: boolean
}

interface Reached extends SchemaSurroundings {
  readonly scope: DynamicScope
  /** What it includes by `allOf` or `$ref` are its bases. */
  readonly isBase: boolean
}

/** Reads keywords only where the specification has schemas. One whose value makes no sense (`required: true`) says nothing. */
export const normaliseSchema = ({ value, pointer }: Located, reached: Reached): PlainSchema =>
  normalise(value, { ...reached, pointer, excused: new Set(), isOther: false, read: { schemas: 0 } })

const placed = <T extends PlainSchema>(schema: T, { pointer }: Place): T => placeSchema(schema, pointer)

interface Place extends Reached {
  readonly pointer: string
  /** Names that the schemas around this one declare to be of the other direction: they need not be there. */
  readonly excused: ReadonlySet<string>
  /** Whether another value is described than by the schema around. */
  readonly isOther: boolean
  readonly read: { schemas: number }
}

const step = (place: Place, key: string | number): Place => ({
  ...place,
  pointer: `${place.pointer}/${typeof key === "number" ? key : escapePointer(key)}`,
})

const stepAside = (place: Place, key: string | number): Place => ({ ...step(place, key), isBase: false })

/** A place where another value is described: what is excused there is another matter. */
const stepInside = (place: Place, key: string | number): Place => ({
  ...stepAside(place, key),
  excused: new Set(),
  isOther: true,
})

/** Larger schemas are compiled part by part as values come: a schema of thousands takes ajv seconds, and YAML aliases write one fast. */
const MAX_SCHEMAS = 200

const isOld = ({ document }: Place): boolean => isOldDialect(document)

function normalise(schema: JsonValue, outer: Place): PlainSchema {
  if (schema === false) return placed({ [FORBIDS]: true }, outer)
  if (!isJsonObject(schema)) return true
  const alone = isOld(outer) ? textMember(schema, "$ref") : undefined
  if (alone !== undefined) {
    // OpenAPI 3.0.4 section 4.7.23.2 ignores what stands beside a `$ref`; but whoever writes `nullable` there means it.
    const result = placed(readReference(alone, outer), outer)
    return isNullable(schema) ? placed(orNull(result), outer) : result
  }
  if (++outer.read.schemas > (outer.isOther ? MAX_SCHEMAS : 2 * MAX_SCHEMAS))
    return referToPart(schema, outer)
  const place = entered(schema, outer)
  const [reference, second] = readReferences(schema, place)
  const result = placed(reference ?? {}, place)
  for (const [keyword, value] of Object.entries(schema)) {
    const normal = readers.get(keyword)?.(value, place)
    if (normal !== undefined)
      result[keyword === "type" && namesNumbers(normal) ? EXACT_TYPE : keyword] = normal
  }
  modernise(result, schema)
  // One keyword stands for both references: a second one stands apart.
  if (second !== undefined) addPart(result, placed(second, place))
  discriminate(result, schema, place.pointer)
  return isOld(place) && isNullable(schema) ? placed(orNull(result), place) : result
}

function entered(schema: JsonObject, outer: Place): Place {
  const { document, pointer, direction } = outer
  const mark = direction === "request" ? "readOnly" : "writeOnly"
  const excused = new Set([...outer.excused, ...excusedNames(document, { value: schema, pointer }, mark)])
  const inner = { ...outer, excused, isOther: false }
  if (isOld(outer) || textMember(schema, "$id") === undefined) return inner
  return { ...inner, scope: outer.enter(outer.scope, { value: schema, pointer }) }
}

const readReferences = (schema: JsonObject, place: Place): readonly Record<string, unknown>[] =>
  (isOld(place) ? ["$ref"] : ["$ref", "$dynamicRef"]).flatMap((keyword) => {
    const reference = textMember(schema, keyword)
    return reference === undefined ? [] : [readReference(reference, place, keyword === "$dynamicRef")]
  })

function readReference(reference: string, place: Place, isDynamic = false): Record<string, unknown> {
  const { idOf, pointer, scope, isBase } = place
  const id = idOf(reference, { from: pointer, scope, isDynamic, isBase })
  return id === undefined ? { [LEADS_NOWHERE]: { reference, pointer } } : { [REFERS_TO]: id }
}

const referToPart = (value: JsonValue, place: Place): PlainSchema =>
  placed({ [REFERS_TO]: place.idOfPart({ value, pointer: place.pointer }, place.scope) }, place)

type Reader = (value: JsonValue, place: Place) => unknown

const schemaAt =
  (keyword: string, enter = stepInside): Reader =>
  (value, place) =>
    isJsonObject(value) || typeof value === "boolean" ? normalise(value, enter(place, keyword)) : undefined

/** Of what is left over, `false` says that there is none: the keyword itself tells so. */
const restAt =
  (keyword: string): Reader =>
  (value, place) =>
    typeof value === "boolean" ? value : schemaAt(keyword)(value, place)

const schemasAt =
  (keyword: string, enter = stepInside): Reader =>
  (value, place) =>
    isJsonArray(value) && value.length > 0
      ? value.map((item, index) => normalise(item, step(enter(place, keyword), index)))
      : undefined

const schemaMapAt =
  (keyword: string, enter = stepInside): Reader =>
  (value, place) =>
    isJsonObject(value)
      ? mapValues(value, (inner, key) => normalise(inner, step(enter(place, keyword), key)))
      : undefined

const mapValues = (object: JsonObject, map: (value: JsonValue, key: string) => unknown) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]))

const amount: Reader = (value) => (isNumber(value) && value >= 0 ? Math.ceil(Number(value)) : undefined)
const limit = (value: JsonValue): unknown => (isNumber(value) ? value : undefined)
// A boolean is 3.0's way, mended below.
const exclusiveLimit = (value: JsonValue): unknown => (typeof value === "boolean" ? value : limit(value))
const texts = (value: JsonValue): readonly string[] | undefined =>
  isJsonArray(value) ? value.filter((item) => typeof item === "string") : undefined

const typeNames: ReadonlySet<JsonValue> = new Set(
  "string number integer boolean object array null".split(" "),
)

const steps = { value: step, case: stepAside, part: stepInside }
const rests = new Set(["additionalProperties", "unevaluatedProperties", "items", "unevaluatedItems"])

function schemaReader(keyword: string, { as, describes, isOld }: SchemaKeyword): Reader | undefined {
  if (describes === "nothing" || isOld === true) return undefined
  if (rests.has(keyword)) return restAt(keyword)
  return { one: schemaAt, list: schemasAt, map: schemaMapAt }[as](keyword, steps[describes])
}

/** What is read of a schema beside the schemas inside. Anything else is annotation, or not ours (`$id`, `xml`). */
const otherKeywords: Readonly<Record<string, Reader>> = {
  properties: (value, place) => {
    const normal = schemaMapAt("properties")(value, place) as Record<string, PlainSchema> | undefined
    return normal === undefined || place.direction === "response" ? normal : barReadOnly(normal, value, place)
  },
  type: (value) => {
    const names = (isJsonArray(value) ? value : [value]).filter((name) => typeNames.has(name))
    return names.length === 0 ? undefined : names
  },
  enum: (value) => (isJsonArray(value) && value.length > 0 ? value : undefined),
  const: (value) => value,
  format: (value) => (typeof value === "string" && formats.has(value) ? value : undefined),
  pattern: (value) => (typeof value === "string" ? value : undefined),
  required: (value, { excused }) => texts(value)?.filter((name) => !excused.has(name)),
  dependentRequired: (value) =>
    isJsonObject(value) ? mapValues(value, (names) => texts(names) ?? []) : undefined,
  uniqueItems: (value) => (value === true ? true : undefined),
  minimum: limit,
  maximum: limit,
  exclusiveMinimum: exclusiveLimit,
  exclusiveMaximum: exclusiveLimit,
  multipleOf: (value) => (isNumber(value) && value > 0 ? value : undefined),
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

const namesNumbers = (names: unknown): boolean =>
  Array.isArray(names) && (names.includes("number") || names.includes("integer"))

/** `exclusiveMinimum: true` of 3.0 and 2.0 makes the minimum itself exclusive. */
function modernise(result: Record<string, unknown>, schema: JsonObject): void {
  for (const bound of ["minimum", "maximum"]) {
    const exclusive = bound === "minimum" ? "exclusiveMinimum" : "exclusiveMaximum"
    if (typeof result[exclusive] !== "boolean") continue
    delete result[exclusive]
    if (schema[exclusive] !== true || result[bound] === undefined) continue
    result[exclusive] = result[bound]
    delete result[bound]
  }
}

/** By the letter `nullable` speaks of the `type` beside it alone; authors, and tools that generate servers, mean that null may come. */
function orNull(schema: Record<string, unknown>): PlainSchema {
  const keys = Object.keys(schema)
  const type = keys.find((keyword) => keyword === "type" || keyword === EXACT_TYPE)
  if (type !== undefined && !keys.some((keyword) => speaksOfNull.has(keyword)))
    return { ...schema, [type]: [...(schema[type] as unknown[]), "null"] }
  return keys.length === 0 ? schema : { if: { type: "null" }, else: schema }
}

/** Keywords that may forbid null although the type allows it. */
const speaksOfNull = new Set(["enum", "const", "allOf", "anyOf", "oneOf", "not", "if"])

/** The same schemas; those of read-only properties (OpenAPI 3.0.4 section 4.7.24.2) allow nothing. */
function barReadOnly(
  normal: Record<string, PlainSchema>,
  properties: JsonValue,
  place: Place,
): Record<string, PlainSchema> {
  for (const [name, schema] of Object.entries(normal)) {
    const property = member(properties, name)
    if (typeof schema !== "object" || property === undefined) continue
    if (isMarked(place.document, { value: property, pointer: place.pointer }, "readOnly"))
      (schema as Record<string, unknown>)[NOT_SENT] = true
  }
  return normal
}
