// Cuts the published schema of a version into one schema per kind of object. Each checks the fields of one object and
// not the objects inside, so that a mistake is reported once, however deep a document is and in how many files.

import {
  getOrCreate,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  once,
  ownOf,
  member,
} from "@callsheet/format"
import type { OpenApiVersion } from "../document/document.ts"
import { valueAt } from "../document/located.ts"
import type { ObjectKind } from "../document/object-kinds.ts"
import { type PlainSchema, REFERS_TO, type SchemaReference } from "../schema/validate/plain-schema.ts"
import { loadMetaSchemaFiles, type MetaSchemaFiles } from "./meta-schema-files.ts"

export interface MetaSchema {
  /** Returns the fields that a kind may have. Undefined if the author chooses them. */
  readonly fieldsOf: (kind: ObjectKind) => FieldNames | undefined
  /** Returns the cut schema of a kind. It allows anything if the version doesn't have the kind. */
  readonly schemaOf: (kind: ObjectKind) => PlainSchema
}

export interface FieldNames {
  readonly names: ReadonlySet<string>
  readonly patterns: readonly RegExp[]
  /** True if the standard allows other fields too, without a meaning. */
  readonly isOpen: boolean
}

export async function loadMetaSchema(version: OpenApiVersion): Promise<MetaSchema> {
  return createCutter(await loadMetaSchemaFiles(version))
}

/** A schema in the files, and the address of its file. */
interface Located {
  readonly value: JsonValue
  readonly file: string
}

function createCutter({ files, definitions }: MetaSchemaFiles): MetaSchema {
  const kinds = new Set(Object.values(definitions))
  const references = new Map<string, CutReference>()
  const fields = new Map<ObjectKind, FieldNames>()
  const find: Find = (id) => {
    const [file = "", pointer = ""] = id.split("#")
    return { file, value: valueAt((ownOf(files, file) ?? {}) as JsonValue, pointer) ?? {} }
  }
  const isObject = (id: string): boolean =>
    kinds.has(id) ||
    /\/(?:Reference|reference|jsonReference|responseValue|\$defs\/schema)$|-or-reference$/.test(id)
  const refer: Refer = (definition, kind) =>
    getOrCreate(references, `${definition} of ${kind}`, (id) => ({
      id,
      schema: once(() => cutSchema(find(definition), { find, isObject, refer, kind, isTest: false })),
    }))
  const fieldsOf = (kind: ObjectKind): FieldNames | undefined => {
    const definition = definitions[kind]
    if (definition === undefined || unnamed.has(kind)) return undefined
    return getOrCreate(fields, kind, () => collectFields(find(definition), find))
  }
  return {
    fieldsOf,
    schemaOf: (kind) => {
      const definition = definitions[kind]
      return definition === undefined || refer(definition, kind).schema()
    },
  }
}

/** The required fields without which an object does nothing. The others only inform readers, or have a default. */
const needed: Readonly<Record<string, readonly string[]>> = {
  parameter: ["name", "in"],
  securityScheme: ["type", "name", "in", "scheme", "flow", "flows", "tokenUrl", "authorizationUrl"],
  server: ["url"],
  serverVariable: ["default"],
  discriminator: ["propertyName"],
} satisfies { readonly [K in ObjectKind]?: readonly string[] }

/** The kinds whose fields the author names. */
const unnamed: ReadonlySet<ObjectKind> = new Set<ObjectKind>(["callback", "example", "link"])

type Find = (id: string) => Located

/** A cut depends on the kind of the object. The id tells references apart in text. */
interface CutReference extends SchemaReference {
  readonly id: string
}

type Refer = (definition: string, kind: string) => CutReference

interface Cutting {
  readonly find: Find
  readonly isObject: (id: string) => boolean
  readonly refer: Refer
  readonly kind: string
  /** True inside `if`, whose schema decides instead of reporting. */
  readonly isTest: boolean
}

/** Keeps the keywords about values. Unknown fields, names and counts are not about values. */
function cutSchema({ value, file }: Located, cutting: Cutting): PlainSchema {
  if (!isJsonObject(value)) return cutting.isTest && value === false ? false : {}
  const inner = (one: JsonValue, isTest = cutting.isTest) =>
    cutSchema({ value: one, file }, { ...cutting, isTest })
  const parts = Object.entries(value).map(([keyword, part]) =>
    plainKeywords.has(keyword)
      ? { [keyword]: part }
      : ownOf(keywords, keyword)?.(part as never, { ...cutting, inner, file }),
  )
  const allOf = parts.flatMap((one) => (one?.["allOf"] as readonly PlainSchema[] | undefined) ?? [])
  return { ...(Object.assign({}, ...parts) as object), ...(allOf.length === 0 ? {} : { allOf }) }
}

const plainKeywords = new Set(["enum", "const", "pattern", "minimum", "minItems"])

interface Around extends Cutting {
  readonly inner: (value: JsonValue, isTest?: boolean) => PlainSchema
  readonly file: string
}

/** Converts the value of a keyword, here always a valid one, to the keywords that replace it. */
type CutKeyword = (part: never, around: Around) => Readonly<Record<string, unknown>>

const cutEach =
  (keyword: string) =>
  (part: JsonObject, { inner }: Around) => ({
    [keyword]: Object.fromEntries(Object.entries(part).map(([name, one]) => [name, inner(one)])),
  })

const cutOne =
  (keyword: string) =>
  (part: JsonValue, { inner }: Around) =>
    isJsonObject(part) ? { [keyword]: inner(part) } : {}

/** Several alternatives may be the same after the cut, so that exactly one can't be required. */
function cutAlternatives(part: readonly JsonValue[], around: Around): Readonly<Record<string, unknown>> {
  const alternatives = distinct(part.map((one) => around.inner(one)))
  return alternatives.some(isEmpty) ? {} : (discriminate(part, around) ?? { anyOf: alternatives })
}

/** The fields that select one of several alternatives. */
const selectors = ["in", "type", "flow"]

/** Checks the selecting field first, and then only the selected alternative, so that one mistake has one reason. */
function discriminate(
  part: readonly JsonValue[],
  around: Around,
): Readonly<Record<string, unknown>> | undefined {
  const { find, file, inner } = around
  for (const field of selectors) {
    const listed = part.map((one) => selectedBy(field, { value: one, file }, find))
    const values = new Set(listed.flatMap((list) => list ?? []))
    if (listed.includes(undefined) || values.size < 2) continue
    const cases = [...values].map((value) => {
      const own = part.filter((_, index) => listed[index]?.includes(value) === true)
      const then = own.length === 1 ? inner(own[0] ?? {}) : cutAlternatives(own, around)
      return { if: { properties: { [field]: { const: value } }, required: [field] }, then }
    })
    return { allOf: [{ properties: { [field]: { enum: [...values] } } }, ...cases] }
  }
  return undefined
}

/** Returns the values of a field that select a schema. Undefined if it doesn't list them. */
function selectedBy(field: string, { value, file }: Located, find: Find): readonly JsonValue[] | undefined {
  if (!isJsonObject(value)) return undefined
  const { $ref: reference, properties, oneOf } = value
  if (typeof reference === "string") return selectedBy(field, find(resolveId(reference, file)), find)
  const listed = member(properties, field)
  if (isJsonObject(listed)) return isJsonArray(listed["enum"]) ? listed["enum"] : undefined
  const inner = isJsonArray(oneOf)
    ? oneOf.map((one) => selectedBy(field, { value: one, file }, find))
    : [undefined]
  return inner.includes(undefined) ? undefined : inner.flatMap((list) => list ?? [])
}

const keywords: Readonly<Record<string, CutKeyword>> = {
  $ref: (part: string, { isObject, refer, kind, file }) => {
    const id = resolveId(part, file)
    if (!isObject(id)) return { [REFERS_TO]: refer(id, kind) }
    return { type: isSchema(id) ? ["object", "boolean"] : ["object"] }
  },
  $dynamicRef: () => ({ type: ["object", "boolean"] }),
  oneOf: cutAlternatives,
  anyOf: cutAlternatives,
  allOf: (part: readonly JsonValue[], { inner }) => {
    const parts = part.map((one) => inner(one)).filter((one) => !isEmpty(one))
    return parts.length === 0 ? {} : { allOf: parts }
  },
  if: (part: JsonValue, { inner }) => ({ if: inner(part, true) }),
  then: cutOne("then"),
  else: cutOne("else"),
  items: cutOne("items"),
  additionalProperties: cutOne("additionalProperties"),
  properties: cutEach("properties"),
  patternProperties: cutEach("patternProperties"),
  dependentSchemas: cutEach("dependentSchemas"),
  type: (part: JsonValue) => ({ type: [part].flat() }),
  required: (part: readonly string[], { kind, isTest }) => {
    const kept = isTest ? part : part.filter((name) => ownOf(needed, kind)?.includes(name))
    return kept.length === 0 ? {} : { required: kept }
  },
  // In draft 4, `exclusiveMinimum: true` is about the minimum beside it, which is always 0.
  exclusiveMinimum: (part: JsonValue) => ({ exclusiveMinimum: part === true ? 0 : part }),
}

/** From 3.1 on, a schema may be a boolean. */
const isSchema = (id: string): boolean =>
  id.endsWith("$defs/schema") || id.startsWith("https://json-schema.org/")

function resolveId(reference: string, file: string): string {
  if (reference.startsWith("#")) return `${file}${reference}`
  const id = URL.canParse(reference, file) ? new URL(reference, file).href : reference
  return id.includes("#") ? id : `${id}#`
}

const isEmpty = (schema: PlainSchema): boolean =>
  schema === true || (typeof schema === "object" && Object.keys(schema).length === 0)

const distinct = (schemas: readonly PlainSchema[]): readonly PlainSchema[] => [
  ...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values(),
]

function collectFields(definition: Located, find: Find): FieldNames {
  const names = new Set<string>()
  const patterns = new Map<string, RegExp>()
  let isOpen = true
  const seen = new Set<JsonValue>()
  const work = [definition]
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const { value, file } = next
    if (!isJsonObject(value) || seen.has(value)) continue
    seen.add(value)
    for (const name of Object.keys((value["properties"] ?? {}) as JsonObject)) names.add(name)
    for (const source of Object.keys((value["patternProperties"] ?? {}) as JsonObject))
      patterns.set(source, new RegExp(source, "u"))
    if (value["additionalProperties"] === false || value["unevaluatedProperties"] === false) isOpen = false
    if (typeof value["$ref"] === "string") work.push(find(resolveId(value["$ref"], file)))
    for (const keyword of ["allOf", "anyOf", "oneOf", "then", "else", "dependentSchemas"]) {
      const inner = ownOf(value, keyword)
      const parts = isJsonArray(inner)
        ? inner
        : keyword === "dependentSchemas"
          ? Object.values((inner ?? {}) as JsonObject)
          : [inner ?? null]
      for (const one of parts) work.push({ value: one, file })
    }
  }
  return { names, patterns: [...patterns.values()], isOpen }
}
