// ajv, set up for OpenAPI: numbers are exact, patterns never throw, formats are ours. The one place that knows ajv.

import { _, Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js"
import { callRef } from "ajv/dist/vocabularies/core/ref.js"
import type { JsonValue } from "@callsheet/format"
import { exactKeywords } from "./exact-keywords.ts"
import { LEADS_NOWHERE, REFERS_TO, type PlainSchema } from "./normalise-schema.ts"

/** One thing that a value breaks, with the schema that says so. */
export interface Breach {
  readonly keyword: string
  /** JSON pointer of the value, from the one that was validated. */
  readonly pointer: string
  readonly params: Readonly<Record<string, unknown>>
  /** The keyword's own value in the schema. */
  readonly expected: unknown
  readonly schema: PlainSchema
  readonly value: JsonValue
}

/** Makes the machine of a `pattern`. It may throw for what is no pattern: that pattern then allows anything. */
export type PatternEngine = (pattern: string) => { readonly test: (text: string) => boolean }

export interface Validator {
  /**
   * What the value breaks: of a searching validator everything, else the first breach alone. None: the value is valid.
   *
   * @throws RangeError where the value nests deeper than the stack, UnusableSchema where a schema cannot be compiled.
   */
  readonly validate: (schema: PlainSchema, value: JsonValue) => readonly Breach[]
}

/** A schema that ajv cannot make anything of. */
export class UnusableSchema extends Error {
  override readonly name = "UnusableSchema"
}

export interface ValidatorOptions {
  /** Look for everything, at the cost of time and memory, and not only for the first breach. */
  readonly isSearching: boolean
  readonly patterns: PatternEngine
  readonly schemaOf: (id: string) => PlainSchema
}

/** Makes a validator. Each schema is compiled when a value first comes to it, and kept. */
export function createValidator(options: ValidatorOptions): Validator {
  const ajv = createAjv(options)
  const machines = new Map<string, Machine>()
  ajv.addKeyword({
    keyword: REFERS_TO,
    schemaType: "string",
    code: (context) => {
      const id = context.schema as string
      let machine = machines.get(id)
      if (machine === undefined) {
        machine = lazyMachine(() => compile(ajv, options.schemaOf(id)))
        machines.set(id, machine)
      }
      callRef(context, _`${context.gen.scopeValue("wrapper", { ref: machine })}.validate`)
    },
  })
  return {
    validate: (schema, value) => {
      const validate = compile(ajv, schema)
      return validate(value) ? [] : (validate.errors ?? []).map(breachOf)
    },
  }
}

/** What `callRef` calls, and asks for `errors` after the call: by then `validate` is the compiled function. */
interface Machine {
  validate: (...args: Parameters<ValidateFunction>) => boolean
}

function lazyMachine(compileIt: () => ValidateFunction): Machine {
  const machine: Machine = {
    validate: (...args) => {
      machine.validate = compileIt()
      return machine.validate(...args)
    },
  }
  return machine
}

/** ajv keeps what it compiled by the identity of the schema. */
function compile(ajv: Ajv2020, schema: PlainSchema): ValidateFunction {
  try {
    return ajv.compile(schema)
  } catch (error) {
    if (error instanceof RangeError || !(error instanceof Error)) throw error
    throw new UnusableSchema(error.message, { cause: error })
  }
}

const breachOf = ({ keyword, instancePath, params, schema, parentSchema, data }: ErrorObject): Breach => ({
  keyword,
  pointer: instancePath,
  params: params as Readonly<Record<string, unknown>>,
  expected: schema,
  schema: parentSchema as PlainSchema,
  value: data as JsonValue,
})

function createAjv({ isSearching, patterns }: ValidatorOptions): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    meta: false,
    allErrors: isSearching,
    // A body without a property named `constructor` has none, whatever its prototype says.
    ownProperties: true,
    verbose: true,
    messages: false,
    logger: false,
    addUsedSchema: false,
    code: { regExp: Object.assign(patternMaker(patterns), { code: "" }) },
  })
  for (const [keyword, test] of Object.entries(exactKeywords)) {
    ajv.removeKeyword(keyword)
    ajv.addKeyword({
      keyword,
      errors: false,
      compile: test as (schema: unknown) => (value: unknown) => boolean,
    })
  }
  ajv.addKeyword({ keyword: LEADS_NOWHERE, errors: false, validate: () => false })
  return ajv
}

// ajv keeps one for all patterns of the same `toString`.
const patternMaker =
  (patterns: PatternEngine) =>
  (pattern: string): ReturnType<PatternEngine> => {
    const named = (test: (text: string) => boolean) => ({ toString: () => `/${pattern}/`, test })
    try {
      const engine = patterns(pattern)
      return named((text) => engine.test(text))
    } catch {
      return named(() => true)
    }
  }

/** ECMA-262, as JSON Schema asks: with `u` where the pattern stands it, else without (`\-` is an error under `u`). */
export const nativePatterns: PatternEngine = (pattern) => {
  try {
    return new RegExp(pattern, "u")
  } catch {
    return new RegExp(pattern)
  }
}
