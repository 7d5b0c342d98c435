// Values against schemas: compiles with ajv what is asked for, once, and says in plain words what is wrong.

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { fullFormats } from "ajv-formats/dist/formats.js"
import {
  isEqual,
  isJsonArray,
  isJsonObject,
  type ContractProblem,
  type JsonObject,
  type JsonValue,
} from "@callsheet/format"
import { dereference, escapePointer, member, textMember, type OpenApiDocument } from "../document.ts"
import { describeErrors } from "./describe-errors.ts"
import type { Located } from "./find-response.ts"
import { EXACT, normaliseSchema } from "./normalise-schema.ts"

export interface SchemaChecker {
  /** Everything in `value` that the schema forbids; `path` is the JSON pointer of the value in the response. */
  readonly check: (schema: Located, value: JsonValue, path: string) => readonly ContractProblem[]
  /** The value that a header's text stands for, by the type that its schema declares. */
  readonly readText: (schema: Located, text: string) => JsonValue
}

type Compiled = { readonly validate: ValidateFunction } | { readonly problem: string }

/** Integers beyond 2^53 of the value that is being checked, by JSON pointer. */
type BigIntegers = ReadonlyMap<string, bigint>

export function createSchemaChecker(document: OpenApiDocument): SchemaChecker {
  const state: { bigIntegers: BigIntegers } = { bigIntegers: new Map() }
  const ajv = createAjv(state)
  const compiled = new Map<string, Compiled>()
  const compileOnce = (schema: Located): Compiled => {
    let known = compiled.get(schema.pointer)
    if (known === undefined) {
      known = compile(ajv, document, schema)
      compiled.set(schema.pointer, known)
    }
    return known
  }
  return {
    check: (schema, value, path) => {
      const known = compileOnce(schema)
      if ("problem" in known) return [{ path, message: known.problem }]
      try {
        const { data, bigIntegers } = withoutBigIntegers(value)
        state.bigIntegers = bigIntegers
        return known.validate(data) ? [] : describeErrors(known.validate.errors ?? [], path)
      } catch (error) {
        if (error instanceof RangeError)
          return [{ path, message: "the value nests too deeply to be checked" }]
        throw error
      }
    },
    readText: (schema, text) => readText(document, schema, text),
  }
}

function compile(ajv: Ajv2020, document: OpenApiDocument, located: Located): Compiled {
  try {
    const { schema, broken } = normaliseSchema(document, located)
    if (broken.length > 0) return { problem: `the document's own reference ${broken.join(", ")} is broken` }
    return { validate: ajv.compile(schema) }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { problem: `the document's schema at ${located.pointer} cannot be used: ${error.message}` }
  }
}

function createAjv(state: { readonly bigIntegers: BigIntegers }): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    allErrors: true,
    inlineRefs: false,
    ownProperties: true,
    verbose: true,
    logger: false,
    addUsedSchema: false,
    code: { regExp: compilePattern },
  })
  // What OpenAPI leaves to the reader is not checked: an unknown format allows anything.
  for (const name of [
    "date-time",
    "date",
    "email",
    "uuid",
    "uri",
    "ipv4",
    "ipv6",
    "int32",
    "int64",
    "float",
    "double",
  ] as const) {
    ajv.addFormat(name, fullFormats[name])
  }
  ajv.addKeyword({
    keyword: EXACT,
    validate: (bounds: JsonObject, _data: unknown, _parent: unknown, context?: { instancePath: string }) => {
      const exact =
        state.bigIntegers.size === 0 ? undefined : state.bigIntegers.get(context?.instancePath ?? "")
      return exact === undefined || holdsExactly(bounds, exact)
    },
    errors: false,
  })
  return ajv
}

/** The one place where a pattern becomes a machine; what is no regular expression allows anything. */
const compilePattern = Object.assign(
  (pattern: string): RegExp => {
    for (const flags of ["u", ""]) {
      try {
        return new RegExp(pattern, flags)
      } catch {
        continue // `\-` and its like are errors under `u` alone
      }
    }
    return /(?:)/
  },
  { code: "new RegExp" },
)

function holdsExactly(bounds: JsonObject, value: bigint): boolean {
  const holds: Readonly<Record<string, (bound: JsonValue) => boolean>> = {
    minimum: (bound) => !isNumber(bound) || value >= bound,
    maximum: (bound) => !isNumber(bound) || value <= bound,
    exclusiveMinimum: (bound) => !isNumber(bound) || value > bound,
    exclusiveMaximum: (bound) => !isNumber(bound) || value < bound,
    multipleOf: (bound) =>
      !isNumber(bound) || !Number.isInteger(Number(bound)) || value % BigInt(bound) === 0n,
    const: (bound) => isEqual(value, bound),
    enum: (bound) => isJsonArray(bound) && bound.some((one) => isEqual(value, one)),
  }
  return Object.entries(bounds).every(([keyword, bound]) => holds[keyword]!(bound))
}

const isNumber = (value: JsonValue): value is number | bigint =>
  typeof value === "number" || typeof value === "bigint"

/**
 * ajv asks `typeof x == "number"`: it gets the nearest double, which is an integer all the same, and the keyword above
 * holds the bounds against the exact value. Copies only where there is a bigint.
 */
function withoutBigIntegers(value: JsonValue): { readonly data: unknown; readonly bigIntegers: BigIntegers } {
  if (!holdsBigInteger(value)) return { data: value, bigIntegers: new Map() }
  const bigIntegers = new Map<string, bigint>()
  const copy = (here: JsonValue, pointer: string): unknown => {
    if (typeof here === "bigint") {
      bigIntegers.set(pointer, here)
      return Number(here)
    }
    if (isJsonArray(here)) return here.map((item, index) => copy(item, `${pointer}/${index}`))
    if (!isJsonObject(here)) return here
    return Object.fromEntries(
      Object.entries(here).map(([key, inner]) => [key, copy(inner, `${pointer}/${escapePointer(key)}`)]),
    )
  }
  return { data: copy(value, ""), bigIntegers }
}

function holdsBigInteger(value: JsonValue): boolean {
  const work: JsonValue[] = [value]
  for (let here = work.pop(); here !== undefined; here = work.pop()) {
    if (typeof here === "bigint") return true
    if (typeof here === "object" && here !== null)
      for (const inner of Object.values(here) as JsonValue[]) work.push(inner)
  }
  return false
}

function readText(document: OpenApiDocument, schema: Located, text: string): JsonValue {
  const value = dereference(document, schema.value, schema.pointer)?.value
  const declared = member(value, "type")
  const type = isJsonArray(declared) ? declared.find((one) => one !== "null") : declared
  switch (type) {
    case "integer":
    case "number":
      return /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/.test(text) ? Number(text) : text
    case "boolean":
      return text === "true" ? true : text === "false" ? false : text
    case "array": {
      const items = member(value, "items")
      const parts = text.split(",").map((part) => part.trim())
      return items === undefined
        ? parts
        : parts.map((part) => readText(document, { value: items, pointer: `${schema.pointer}/items` }, part))
    }
    default:
      return textMember(value, "type") === "null" && text === "" ? null : text
  }
}
