// Finds the properties or items of a value that a schema evaluates (JSON Schema 2020-12 section 11).

import { isJsonArray, isJsonObject, type JsonValue, ownOf } from "@callsheet/format"
import type { Chooser } from "./choose-schema.ts"
import { CHOOSES, type PlainSchema, REFERS_TO } from "./plain-schema.ts"

interface EvaluationSchemas {
  readonly schemaOf: (id: string) => PlainSchema
  readonly isValid: (schema: PlainSchema, value: JsonValue) => boolean
  readonly matches: (pattern: string, name: string) => boolean
}

export interface EvaluatedParts {
  readonly has: (part: string | number) => boolean
}

/**
 * Returns the parts that the keywords evaluate, except for one keyword. ajv gets `contains` and nested conditions
 * wrong.
 */
export function evaluatedParts(
  schema: PlainSchema,
  except: string,
  { value, schemas }: { readonly value: JsonValue; readonly schemas: EvaluationSchemas },
): EvaluatedParts {
  const parts = new Set<string | number>()
  const walk: Walk = { value, schemas, parts, isWhole: false }
  note(schema, walk, except)
  return { has: (part) => walk.isWhole || parts.has(part) }
}

interface Walk {
  readonly value: JsonValue
  readonly schemas: EvaluationSchemas
  readonly parts: Set<string | number>
  isWhole: boolean
}

function note(schema: PlainSchema, walk: Walk, except?: string): void {
  if (typeof schema !== "object") return
  for (const [keyword, expected] of Object.entries(schema)) {
    if (walk.isWhole) return
    if (keyword !== except) ownOf(readers, keyword)?.(expected, walk, schema)
  }
}

type Reader = (expected: unknown, walk: Walk, schema: Exclude<PlainSchema, boolean>) => void

/** Creates a reader of a keyword that applies to all remaining properties or items. */
const whole =
  (isAbout: (value: JsonValue) => boolean): Reader =>
  (_, walk) => {
    walk.isWhole = isAbout(walk.value)
  }

const allOf: Reader = (expected, walk) => {
  for (const part of expected as readonly PlainSchema[]) note(part, walk)
}

const someOf: Reader = (expected, walk) => {
  for (const part of expected as readonly PlainSchema[])
    if (walk.schemas.isValid(part, walk.value)) note(part, walk)
}

const readers: Readonly<Record<string, Reader>> = {
  [REFERS_TO]: (expected, walk) => note(walk.schemas.schemaOf(expected as string), walk),
  [CHOOSES]: (expected, walk) => note(walk.schemas.schemaOf((expected as Chooser).choose(walk.value)), walk),
  allOf,
  anyOf: someOf,
  oneOf: someOf,
  if: (expected, walk, schema) => {
    const holds = walk.schemas.isValid(expected as PlainSchema, walk.value)
    if (holds) note(expected as PlainSchema, walk)
    const next = schema[holds ? "then" : "else"]
    if (next !== undefined) note(next as PlainSchema, walk)
  },
  dependentSchemas: (expected, walk) => {
    for (const [name, part] of Object.entries(expected as Readonly<Record<string, PlainSchema>>))
      if (hasName(walk.value, name)) note(part, walk)
  },
  properties: (expected, { value, parts }) => {
    for (const name of Object.keys(expected as object)) if (hasName(value, name)) parts.add(name)
  },
  patternProperties: (expected, { value, schemas, parts }) => {
    if (!isJsonObject(value)) return
    for (const pattern of Object.keys(expected as object))
      for (const name of Object.keys(value)) if (schemas.matches(pattern, name)) parts.add(name)
  },
  additionalProperties: whole(isJsonObject),
  unevaluatedProperties: whole(isJsonObject),
  prefixItems: (expected, { value, parts }) => {
    if (isJsonArray(value)) for (const index of (expected as readonly unknown[]).keys()) parts.add(index)
  },
  items: whole(isJsonArray),
  unevaluatedItems: whole(isJsonArray),
  contains: (expected, { value, schemas, parts }) => {
    if (!isJsonArray(value)) return
    for (const [index, item] of value.entries())
      if (schemas.isValid(expected as PlainSchema, item)) parts.add(index)
  },
}

const hasName = (value: JsonValue, name: string): boolean => isJsonObject(value) && Object.hasOwn(value, name)
