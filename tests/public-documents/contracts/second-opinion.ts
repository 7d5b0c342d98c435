// The second opinion on every value of the suite: only ajv, on a plain translation of each schema to JSON Schema
// 2020-12.

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"
import { follow, isObject, listAt, objectAt, type Raw } from "../raw-document.ts"
import { readPattern } from "../make-text.ts"
import { partsOf } from "../schema-parts.ts"

export interface SecondOpinion {
  /** ajv's errors for a value of a schema in the document, or undefined if it is valid. */
  readonly finding: (schema: unknown, value: unknown) => string | undefined
}

export function createSecondOpinion(root: Raw): SecondOpinion {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, ownProperties: true, logger: false })
  addFormats.default(ajv)
  const idOf = createTranslation(root, (id, schema) => ajv.addSchema(schema, id))
  const machines = new Map<unknown, ValidateFunction>()
  return {
    finding: (schema, value) => {
      let machine = machines.get(schema)
      if (machine === undefined) {
        machine = ajv.compile({ $ref: idOf(schema) })
        machines.set(schema, machine)
      }
      if (machine(value)) return undefined
      const [first] = machine.errors ?? []
      return `${first?.instancePath} ${first?.schemaPath}: ${first?.message}`
    },
  }
}

type AddSchema = (id: string, schema: Raw | boolean) => void

/** Schemas by their own ids. Referenced schemas are added. */
function createTranslation(root: Raw, add: AddSchema): (schema: unknown) => string {
  const ids = new Map<unknown, string>()
  const waiting: [string, unknown][] = []
  const isOld = root["swagger"] === "2.0" || String(root["openapi"]).startsWith("3.0")
  const idOf = (schema: unknown): string => {
    let id = ids.get(schema)
    if (id === undefined) {
      id = `urn:schema:${ids.size}`
      ids.set(schema, id)
      waiting.push([id, schema])
    }
    return id
  }
  return (schema) => {
    const id = idOf(schema)
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
      add(next[0], translate({ root, isOld, idOf }, next[1]))
    return id
  }
}

interface Translating {
  readonly root: Raw
  readonly isOld: boolean
  readonly idOf: (schema: unknown) => string
}

function translate(translating: Translating, schema: unknown): Raw | boolean {
  if (!isObject(schema)) return schema !== false
  const { root, isOld, idOf } = translating
  const reference = schema["$ref"] ?? (isOld ? undefined : schema["$dynamicRef"])
  const isNullable = isOld && (schema["nullable"] === true || schema["x-nullable"] === true)
  if (typeof reference === "string" && isOld) {
    const target = { $ref: idOf(follow(root, schema)) }
    return isNullable ? orNull(target) : target
  }
  const result: Record<string, unknown> =
    typeof reference === "string" ? { $ref: idOf(follow(root, schema)) } : {}
  for (const [keyword, value] of Object.entries(schema)) {
    const read = Object.hasOwn(keywords, keyword) ? keywords[keyword] : undefined
    const translated = read?.(value, translating)
    if (translated !== undefined) result[keyword] = translated
  }
  if (isOld) makeExclusive(result, schema)
  const required = requiredInResponses(root, schema)
  if (required.length > 0) result["required"] = required
  return isNullable ? orNull(result) : result
}

const orNull = (schema: Raw): Raw => ({ anyOf: [{ type: "null" }, schema] })

function makeExclusive(result: Record<string, unknown>, schema: Raw): void {
  for (const [bound, exclusive] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    if (schema[exclusive] !== true || result[bound] === undefined) continue
    result[exclusive] = result[bound]
    delete result[bound]
  }
}

/** A response may omit `writeOnly` properties. */
function requiredInResponses(root: Raw, schema: Raw): readonly string[] {
  const names = [...new Set(listAt(schema, "required").filter((name) => typeof name === "string"))]
  if (names.length === 0) return names
  const isWriteOnly = (name: string): boolean => {
    const schemas = partsOf(root, schema).parts.map((part) => objectAt(part, "properties")[name])
    const parts = schemas.filter((one) => one !== undefined).flatMap((one) => partsOf(root, one).parts)
    const isSaid = (keyword: string) => parts.some((part) => part[keyword] === true)
    return isSaid("writeOnly") && !isSaid("readOnly")
  }
  return names.filter((name) => !isWriteOnly(name))
}

type Read = (value: unknown, translating: Translating) => unknown

const one: Read = (value, translating) =>
  isObject(value) || typeof value === "boolean" ? translate(translating, value) : undefined
const many: Read = (value, translating) =>
  Array.isArray(value) && value.length > 0
    ? value.map((schema) => one(schema, translating) ?? true)
    : undefined
const named: Read = (value, translating) =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([key, schema]) => [key, one(schema, translating) ?? true]),
      )
    : undefined
const number: Read = (value) => (typeof value === "number" ? value : undefined)
const amount: Read = (value) => (typeof value === "number" && value >= 0 ? value : undefined)
const same: Read = (value) => value

const types = new Set<unknown>(["string", "number", "integer", "boolean", "object", "array", "null"])
const formats: ReadonlySet<unknown> = new Set(
  "date-time date email uuid uri ipv4 ipv6 int32 int64".split(" "),
)

const keywords: Readonly<Record<string, Read>> = {
  allOf: many,
  anyOf: many,
  oneOf: many,
  not: one,
  if: one,
  then: one,
  else: one,
  dependentSchemas: named,
  properties: named,
  patternProperties: named,
  additionalProperties: one,
  unevaluatedProperties: one,
  propertyNames: one,
  items: one,
  prefixItems: many,
  contains: one,
  unevaluatedItems: one,
  type: (value) => {
    const known = (Array.isArray(value) ? value : [value]).filter((name) => types.has(name))
    return known.length === 0 ? undefined : known
  },
  enum: (value) => (Array.isArray(value) && value.length > 0 ? value : undefined),
  const: same,
  format: (value) => (formats.has(value) ? value : undefined),
  pattern: (value) => (typeof value === "string" && readPattern(value)?.unicode === true ? value : undefined),
  dependentRequired: (value) => (isObject(value) ? value : undefined),
  uniqueItems: (value) => (value === true ? true : undefined),
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: (value) => (typeof value === "number" && value > 0 ? value : undefined),
  minLength: amount,
  maxLength: amount,
  minItems: amount,
  maxItems: amount,
  minProperties: amount,
  maxProperties: amount,
  minContains: amount,
  maxContains: amount,
}
