// Tests values against the cut schemas, without a reason. Most objects are valid, so that most checks don't load ajv.

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, ownOf } from "@callsheet/format"
import { EXACT_TYPE, exactKeywords } from "../schema/validate/exact-keywords.ts"
import { type PlainSchema, REFERS_TO } from "../schema/validate/plain-schema.ts"

export type QuickTest = (value: JsonValue) => boolean

interface Around {
  readonly schema: Readonly<Record<string, unknown>>
  readonly make: (schema: PlainSchema) => QuickTest
  readonly testOf: (id: string) => QuickTest
}

/** Creates a test. `testOf` returns the test of another schema by its id. */
export function createQuickTest(schema: PlainSchema, testOf: Around["testOf"]): QuickTest {
  if (typeof schema === "boolean") return () => schema
  const make = (inner: PlainSchema) => createQuickTest(inner, testOf)
  const tests = Object.entries(schema).flatMap(
    ([keyword, part]) => ownOf(keywords, keyword)?.(part as never, { schema, make, testOf }) ?? [],
  )
  return (value) => tests.every((test) => test(value))
}

type MakeTest = (part: never, around: Around) => QuickTest

type Schemas = Readonly<Record<string, PlainSchema>>

const exact =
  (keyword: string): MakeTest =>
  (part: JsonValue) =>
    ownOf(exactKeywords, keyword)?.(part) ?? (() => true)

/** Tests the fields of objects. Other values pass. */
const ofObjects =
  (test: (value: JsonObject) => boolean): QuickTest =>
  (value) =>
    !isJsonObject(value) || test(value)

const keywords: Readonly<Record<string, MakeTest>> = {
  type: exact(EXACT_TYPE),
  ...Object.fromEntries(
    [EXACT_TYPE, "enum", "const", "minimum", "exclusiveMinimum"].map((keyword) => [keyword, exact(keyword)]),
  ),
  pattern: (source: string) => {
    const pattern = new RegExp(source, "u")
    return (value) => typeof value !== "string" || pattern.test(value)
  },
  minItems: (least: number) => (value) => !isJsonArray(value) || value.length >= least,
  required: (names: readonly string[]) =>
    ofObjects((value) => names.every((name) => Object.hasOwn(value, name))),
  items: (schema: PlainSchema, { make }) => {
    const test = make(schema)
    return (value) => !isJsonArray(value) || value.every(test)
  },
  properties: (schemas: Schemas, { make }) => {
    const tests = new Map(Object.entries(schemas).map(([name, schema]) => [name, make(schema)]))
    return ofObjects((value) =>
      Object.entries(value).every(([name, part]) => tests.get(name)?.(part) ?? true),
    )
  },
  patternProperties: (schemas: Schemas, { make }) => {
    const tests = Object.entries(schemas).map(
      ([source, schema]) => [new RegExp(source, "u"), make(schema)] as const,
    )
    return ofObjects((value) =>
      tests.every(([pattern, test]) =>
        Object.entries(value).every(([name, part]) => !pattern.test(name) || test(part)),
      ),
    )
  },
  additionalProperties: (schema: PlainSchema, { schema: beside, make }) => {
    const test = make(schema)
    const names = new Set(Object.keys(beside["properties"] ?? {}))
    const patterns = Object.keys(beside["patternProperties"] ?? {}).map((one) => new RegExp(one, "u"))
    const isKnown = (name: string) => names.has(name) || patterns.some((pattern) => pattern.test(name))
    return ofObjects((value) => Object.entries(value).every(([name, part]) => isKnown(name) || test(part)))
  },
  dependentSchemas: (schemas: Schemas, { make }) => {
    const tests = Object.entries(schemas).map(([name, schema]) => [name, make(schema)] as const)
    return ofObjects((value) => tests.every(([name, test]) => !Object.hasOwn(value, name) || test(value)))
  },
  allOf: (schemas: readonly PlainSchema[], { make }) => {
    const tests = schemas.map(make)
    return (value) => tests.every((test) => test(value))
  },
  anyOf: (schemas: readonly PlainSchema[], { make }) => {
    const tests = schemas.map(make)
    return (value) => tests.some((test) => test(value))
  },
  if: (schema: PlainSchema, { schema: beside, make }) => {
    const [test, then, otherwise] = [schema, beside["then"] ?? true, beside["else"] ?? true].map((one) =>
      make(one as PlainSchema),
    )
    return (value) => (test?.(value) === true ? then : otherwise)?.(value) ?? true
  },
  [REFERS_TO]: (id: string, { testOf }) => {
    let test: QuickTest | undefined
    return (value) => (test ??= testOf(id))(value)
  },
}
