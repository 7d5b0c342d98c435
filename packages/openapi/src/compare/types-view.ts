// The types and values that a schema allows.

import { isJsonArray, isJsonObject, isNumber, type JsonObject, type JsonValue } from "@callsheet/format"
import { type Conjunct, readBranches, unionKeywords } from "./flatten-schema.ts"
import { readPlainUnion } from "./plain-union.ts"
import { isNullable } from "../schema/schema-graph.ts"
import { isSameData } from "./sameness.ts"

export interface TypesView {
  /** The types without `null`. Undefined if any type is allowed, and empty if no value is. */
  readonly types: ReadonlySet<string> | undefined
  readonly nullable: boolean
  /** The allowed values without null. Undefined if no list restricts them. */
  readonly values: readonly JsonValue[] | undefined
}

/** What one schema or one plain union says. Its types and values include null. */
interface Facet {
  readonly types: ReadonlySet<string> | undefined
  readonly values: readonly JsonValue[] | undefined
  readonly allowsNull: boolean
}

export function readTypes(conjuncts: readonly Conjunct[], isNever: boolean): TypesView {
  if (isNever) return { types: new Set(), nullable: false, values: undefined }
  const facets = conjuncts.flatMap(facetsOf)
  const listed = facets.flatMap(({ values }) => (values === undefined ? [] : [values]))
  const values = listed.length === 0 ? undefined : intersect(listed)
  const declared = facets.flatMap(({ types }) => (types === undefined ? [] : [withoutNull(types)]))
  const types = declared.reduce<ReadonlySet<string> | undefined>(
    (left, right) => (left === undefined ? right : commonTypes(left, right)),
    undefined,
  )
  return {
    types: types ?? (values === undefined ? impliedTypes(conjuncts) : typesOfValues(values)),
    nullable: facets.every(({ allowsNull }) => allowsNull),
    values: values?.filter((value) => value !== null && isOfTypes(value, types)),
  }
}

const withoutNull = (types: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...types].filter((type) => type !== "null"))

const facetsOf = ({ part, schema, orNull }: Conjunct): readonly Facet[] => {
  const unions = unionKeywords.flatMap((keyword): readonly Facet[] => {
    const { branches, hasNull } = readBranches(part, keyword)
    if (branches.length < 2) return []
    // The branches are compared one by one, whether or not they allow null.
    const isEither = orNull || hasNull
    const plain = readPlainUnion(branches)
    if (plain === undefined) return [{ types: undefined, values: undefined, allowsNull: isEither }]
    const facets = plain.map((schema) => ownFacet(schema, part.isOld && isNullable(schema)))
    return [
      {
        types: unite(facets.map(({ types, values }) => types ?? typesOfValues(values ?? []))),
        values: facets.every(({ values }) => values !== undefined)
          ? facets.flatMap(({ values = [] }) => values)
          : undefined,
        allowsNull: isEither || facets.some(({ allowsNull }) => allowsNull),
      },
    ]
  })
  return [ownFacet(schema, orNull), ...unions]
}

const unite = (all: readonly ReadonlySet<string>[]): ReadonlySet<string> =>
  new Set(all.flatMap((types) => [...types]))

function ownFacet(schema: JsonObject, orNull: boolean): Facet {
  const types = typesOf(schema["type"])
  const values = valuesOf(schema)
  const isStructured = types === undefined && impliedType(schema) !== undefined
  const isListed = values === undefined || values.includes(null)
  return {
    types,
    values,
    allowsNull: orNull || (isListed && !isStructured && types?.has("null") !== false),
  }
}

/** The types by their names. A `file` of 2.0 is a binary string. */
const typeNames: ReadonlyMap<JsonValue, string> = new Map([
  ...["string", "number", "integer", "boolean", "object", "array", "null"].map(
    (name) => [name, name] as const,
  ),
  ["file", "string"],
])

function typesOf(written: JsonValue | undefined): ReadonlySet<string> | undefined {
  const names = (isJsonArray(written) ? written : [written ?? null]).flatMap(
    (name) => typeNames.get(name) ?? [],
  )
  if (names.length === 0) return undefined
  return new Set(names.includes("number") ? names.filter((name) => name !== "integer") : names)
}

function valuesOf(schema: JsonObject): readonly JsonValue[] | undefined {
  if (schema["const"] !== undefined) return [schema["const"]]
  const listed = schema["enum"]
  return isJsonArray(listed) && listed.length > 0 ? listed : undefined
}

const intersect = (lists: readonly (readonly JsonValue[])[]): readonly JsonValue[] =>
  lists.reduce((left, right) => left.filter((value) => right.some((other) => isSameData(value, other))))

function commonTypes(left: ReadonlySet<string>, right: ReadonlySet<string>): ReadonlySet<string> {
  const common = [...left].filter((type) => isWithin(type, right))
  return new Set([...common, ...[...right].filter((type) => isWithin(type, left))])
}

/** Returns whether types include a type. Every integer is a number. */
export const isWithin = (type: string, types: ReadonlySet<string>): boolean =>
  types.has(type) || (type === "integer" && types.has("number"))

const typesOfValues = (values: readonly JsonValue[]): ReadonlySet<string> => {
  const found = new Set(values.filter((value) => value !== null).map(typeOfValue))
  if (found.has("number")) found.delete("integer")
  return found
}

function typeOfValue(value: JsonValue): string {
  if (isJsonArray(value)) return "array"
  if (isNumber(value)) return Number.isInteger(Number(value)) ? "integer" : "number"
  return typeof value
}

const isOfTypes = (value: JsonValue, types: ReadonlySet<string> | undefined): boolean =>
  types === undefined || isWithin(typeOfValue(value), types)

/** Returns the type that authors mean who write no `type`: with properties, it is an object. */
function impliedTypes(conjuncts: readonly Conjunct[]): ReadonlySet<string> | undefined {
  const implied = conjuncts.flatMap(({ schema }) => impliedType(schema) ?? [])
  return implied.length === 0 ? undefined : new Set(implied)
}

function impliedType(schema: JsonObject): "object" | "array" | undefined {
  if (objectKeywords.some((keyword) => isSchema(schema[keyword]))) return "object"
  return isSchema(schema["items"]) || isJsonArray(schema["prefixItems"]) ? "array" : undefined
}

const isSchema = (value: JsonValue | undefined): boolean => isJsonObject(value) || typeof value === "boolean"

const objectKeywords = ["properties", "additionalProperties", "patternProperties"] as const
