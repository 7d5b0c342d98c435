// ajv, set up for OpenAPI: numbers are exact, patterns never throw, formats are ours. The one place that knows ajv.

import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js"
import type { JsonValue } from "@callsheet/format"
import { exactKeywords } from "./exact-keywords.ts"
import type { PlainSchema } from "./normalise-schema.ts"
import type { StoredSchema } from "./schema-store.ts"

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
   * @throws RangeError where value or schema nest deeper than the stack.
   */
  readonly validate: (closure: readonly StoredSchema[], value: JsonValue) => readonly Breach[]
  /** The same for a part of a normalised schema whose references are known already. */
  readonly validatePart: (schema: PlainSchema, value: JsonValue) => readonly Breach[]
}

export function createValidator(options: {
  /** Look for everything, at the cost of time and memory, and not only for the first breach. */
  readonly isSearching: boolean
  readonly patterns: PatternEngine
}): Validator {
  const ajv = createAjv(options)
  const known = new Set<string>()
  return {
    validate: (closure, value) => {
      const root = closure[0]!.id
      if (!known.has(root)) {
        for (const { id, schema } of closure) {
          if (!known.has(id)) ajv.addSchema(schema, id)
          known.add(id)
        }
      }
      return run(ajv.getSchema(root)!, value)
    },
    validatePart: (schema, value) => run(ajv.compile(schema as object), value),
  }
}

const run = (validate: ReturnType<Ajv2020["compile"]>, value: JsonValue): readonly Breach[] =>
  validate(value) ? [] : (validate.errors ?? []).map(breachOf)

const breachOf = ({ keyword, instancePath, params, schema, parentSchema, data }: ErrorObject): Breach => ({
  keyword,
  pointer: instancePath,
  params: params as Readonly<Record<string, unknown>>,
  expected: schema,
  schema: parentSchema as PlainSchema,
  value: data as JsonValue,
})

function createAjv({
  isSearching,
  patterns,
}: {
  readonly isSearching: boolean
  readonly patterns: PatternEngine
}): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    meta: false,
    inlineRefs: false,
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
  return ajv
}

type Machine = ReturnType<PatternEngine>

// ajv keeps one machine for all patterns of the same `toString`.
const patternMaker =
  (patterns: PatternEngine) =>
  (pattern: string): Machine => {
    const toString = () => `/${pattern}/`
    try {
      const machine = patterns(pattern)
      return { toString, test: (text: string) => machine.test(text) } as Machine
    } catch {
      return { toString, test: () => true } as Machine
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
