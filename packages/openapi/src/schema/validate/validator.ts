// Configures ajv for OpenAPI: exact numbers, patterns that never throw, exact formats. Only this module uses ajv.

import {
  _,
  Ajv2020,
  type CodeKeywordDefinition,
  type ErrorObject,
  Name,
  type ValidateFunction,
} from "ajv/dist/2020.js"
import { Type } from "ajv/dist/compile/util.js"
import { callRef } from "ajv/dist/vocabularies/core/ref.js"
import { attempt, getOrCreate, isJsonArray, type JsonValue, memo, once } from "@callsheet/format"
import { createPattern, type Pattern, PatternTooSlow } from "../patterns/create-pattern.ts"
import type { StepBudget } from "../patterns/pattern-machine.ts"
import type { Chooser } from "./choose-schema.ts"
import { evaluatedParts, type EvaluatedParts } from "./evaluated-parts.ts"
import { exactKeywords } from "./exact-keywords.ts"
import { CHOOSES, FORBIDS, LEADS_NOWHERE, NOT_SENT, type PlainSchema, REFERS_TO } from "./plain-schema.ts"

export interface Violation {
  readonly keyword: string
  readonly pointer: string
  readonly params: Readonly<Record<string, unknown>>
  readonly expected: unknown
  readonly schema: PlainSchema
  readonly value: JsonValue
  readonly writtenAs?: string
}

export interface Validator {
  /**
   * Returns the value's violations: all of them if `isSearching` is true, else only the first.
   * @throws RangeError if the value nests deeper than the stack, UnusableSchema if a schema can't be compiled,
   * PatternTooSlow and TooMuchWork if the result is not ready in time.
   */
  readonly validate: (schema: PlainSchema, value: JsonValue) => readonly Violation[]
}

export class UnusableSchema extends Error {
  override readonly name = "UnusableSchema"
}

/** Thrown if the budget runs out. In a recursive schema, each branch can double the work. */
export class TooMuchWork extends Error {
  override readonly name = "TooMuchWork"
}

interface ValidatorOptions {
  /** True to find every violation instead of only the first, which takes more time and memory. */
  readonly isSearching: boolean
  readonly schemaOf: (id: string) => PlainSchema
  /** The budget for every followed reference and every pattern. */
  readonly budget: StepBudget
}

/** Creates a validator. Each schema is compiled on first use and cached. */
export function createValidator(options: ValidatorOptions): Validator {
  const compiled = new Map<PlainSchema, ValidateFunction>()
  const machines = new Map<string, Machine>()
  const compile: Compile = (schema) =>
    getOrCreate(compiled, schema, () =>
      compileWith(holdsInheritedName(schema) ? carefulAjv() : plainAjv(), schema),
    )
  const machineOf = (id: string): Machine =>
    getOrCreate(machines, id, () => lazyMachine(() => compile(options.schemaOf(id)), options.budget))
  const making = { options, compile, machineOf, patternOf: patternMaker(options.budget) }
  const plainAjv = once(() => createAjv({ ...making, isCareful: false }))
  const carefulAjv = once(() => createAjv({ ...making, isCareful: true }))
  return {
    validate: (schema, value) => {
      const validate = compile(schema)
      return validate(value) ? [] : (validate.errors ?? []).map(violationOf)
    },
  }
}

type Compile = (schema: PlainSchema) => ValidateFunction

/** An object as ajv's `callRef` expects it: a `validate` function with `errors`. */
interface Machine {
  readonly validate: Validate
}

type Validate = ((value: unknown, context: Parameters<ValidateFunction>[1]) => boolean) & {
  errors?: ValidateFunction["errors"] | undefined
}

function createMachine(choose: (value: unknown) => Validate): Machine {
  const validate: Validate = (value, context) => {
    const chosen = choose(value)
    const isValid = chosen(value, context)
    validate.errors = chosen.errors
    return isValid
  }
  return { validate }
}

/** The cost of following a reference, in steps of the pattern machine. */
const STEPS_OF_REFERENCE = 16

function lazyMachine(compileIt: () => ValidateFunction, budget: StepBudget): Machine {
  const compiled = once(compileIt)
  return createMachine(() => {
    const validate = compiled()
    budget.left -= STEPS_OF_REFERENCE
    if (budget.left < 0) throw new TooMuchWork()
    return validate
  })
}

function compileWith(ajv: Ajv2020, schema: PlainSchema): ValidateFunction {
  try {
    return ajv.compile(schema)
  } catch (error) {
    if (error instanceof RangeError || !(error instanceof Error)) throw error
    throw new UnusableSchema(error.message, { cause: error })
  }
}

const violationOf = (error: ErrorObject): Violation => ({
  keyword: error.keyword,
  pointer: error.instancePath,
  params: error.params as Violation["params"],
  expected: error.schema,
  schema: error.parentSchema as PlainSchema,
  value: error.data as JsonValue,
})

interface Making {
  readonly options: ValidatorOptions
  readonly compile: Compile
  readonly machineOf: (id: string) => Machine
  readonly patternOf: (source: string) => Pattern
  /**
   * True to check own properties only. This takes a third more time, so only schemas with names such as `constructor`
   * use it.
   */
  readonly isCareful: boolean
}

function createAjv(making: Making): Ajv2020 {
  const { options, machineOf, patternOf, isCareful } = making
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    meta: false,
    allErrors: options.isSearching,
    ownProperties: isCareful,
    verbose: true,
    messages: false,
    logger: false,
    addUsedSchema: false,
    code: { regExp: Object.assign((source: string) => patternOf(source), { code: "" }) },
  })
  for (const [keyword, makeTest] of Object.entries(exactKeywords)) replaceKeyword(ajv, keyword, makeTest)
  replaceKeyword(ajv, "pattern", (source, schema) => {
    const { test } = patternOf(source as string)
    return (value) => typeof value !== "string" || testIn(schema, test, value)
  })
  for (const keyword of [LEADS_NOWHERE, NOT_SENT, FORBIDS])
    ajv.addKeyword({ keyword, errors: false, validate: () => false })
  const addReference = (keyword: string, machineFor: (schema: unknown) => Machine) =>
    ajv.addKeyword({
      keyword,
      code: (context) => {
        const wrapper = context.gen.scopeValue("wrapper", { ref: machineFor(context.schema) })
        callRef(context, _`${wrapper}.validate`)
      },
    })
  addReference(REFERS_TO, (id) => machineOf(id as string))
  addReference(CHOOSES, (chooser) =>
    createMachine((value) => machineOf((chooser as Chooser).choose(value as JsonValue)).validate),
  )
  replaceItemKeywords(ajv, making)
  return ajv
}

/** Replaces keywords of ajv that are wrong for some schemas and slow for all. */
function replaceItemKeywords(ajv: Ajv2020, { options: { schemaOf }, compile, patternOf }: Making): void {
  const verdictsOf = memo((_: object) => new Map<PlainSchema, boolean>())
  const validate = (schema: PlainSchema, value: JsonValue): boolean =>
    typeof schema === "boolean" ? schema : compile(schema)(value)
  // Caches results. Without a cache, each nesting level would double the work.
  const isValid = (schema: PlainSchema, value: JsonValue): boolean => {
    if (typeof value !== "object" || value === null) return validate(schema, value)
    return getOrCreate(verdictsOf(value), schema, () => validate(schema, value))
  }
  // ajv's `contains` skips empty arrays beside other keywords and in loops.
  replaceKeyword(ajv, "contains", (expected, parent) => (value) => {
    const { minContains = 1, maxContains = Infinity } = parent as Readonly<Record<string, number>>
    if (!isJsonArray(value)) return true
    const count = value.filter((item) => isValid(expected as PlainSchema, item)).length
    return count >= minContains && count <= maxContains
  })
  const matches = (source: string, name: string) => patternOf(source).test(name)
  const schemas = { schemaOf, isValid, matches }
  ajv.opts.unevaluated = false
  for (const keyword of ["unevaluatedProperties", "unevaluatedItems"] as const) {
    ajv.removeKeyword(keyword)
    ajv.addKeyword(
      unevaluatedKeyword(keyword, (schema, value) => evaluatedParts(schema, keyword, { value, schemas })),
    )
  }
}

const unevaluatedKeyword = (
  keyword: "unevaluatedProperties" | "unevaluatedItems",
  evaluatedOf: (schema: PlainSchema, value: JsonValue) => EvaluatedParts,
): CodeKeywordDefinition => ({
  keyword,
  type: keyword === "unevaluatedProperties" ? "object" : "array",
  schemaType: ["boolean", "object"],
  trackErrors: true,
  error: { message: "", params: ({ params }) => _`{part: ${params["part"]}}` },
  code: (context) => {
    const { gen, data, schema, it } = context
    const find = (value: JsonValue) => evaluatedOf(context.parentSchema, value)
    const evaluated = gen.const("evaluated", _`${gen.scopeValue("keyword", { ref: find })}(${data})`)
    const stopUnlessAll = () => (it.allErrors ? undefined : gen.break())
    const refuse = (part: Name) => {
      context.setParams({ part })
      context.error()
      stopUnlessAll()
    }
    const hold = (part: Name, dataPropType: Type) => {
      const valid = gen.name("valid")
      context.subschema({ keyword, dataProp: part, dataPropType }, valid)
      gen.if(_`!${valid}`, stopUnlessAll)
    }
    const check = (type: Type) => (part: Name) =>
      gen.if(_`!${evaluated}.has(${part})`, () => (schema === false ? refuse(part) : hold(part, type)))
    if (keyword === "unevaluatedProperties") gen.forIn("key", data, check(Type.Str))
    else gen.forRange("i", 0, _`${data}.length`, check(Type.Num))
    context.ok(_`${context.errsCount} === ${new Name("errors")}`)
  },
})

type MakeTest = (expected: JsonValue, schema: PlainSchema) => (value: JsonValue) => boolean

/** Replaces a keyword with code that calls the test. Other ways of adding keywords to ajv allocate on each call. */
function replaceKeyword(ajv: Ajv2020, keyword: string, makeTest: MakeTest): void {
  ajv.removeKeyword(keyword)
  ajv.addKeyword({
    keyword,
    code: (context) => {
      const test = makeTest(context.schema as JsonValue, context.parentSchema)
      context.pass(_`${context.gen.scopeValue("keyword", { ref: test })}(${context.data})`)
    },
  })
}

function testIn(schema: PlainSchema, test: (text: string) => boolean, text: string): boolean {
  try {
    return test(text)
  } catch (error) {
    if (error instanceof PatternTooSlow && typeof schema === "object") error.schema = schema
    throw error
  }
}

/** Creates patterns for ajv, which caches them by `toString`. An invalid pattern accepts anything. */
const patternMaker =
  (budget: StepBudget) =>
  (source: string): Pattern => {
    const pattern = attempt(() => createPattern(source, budget))
    const named = { toString: () => `/${source}/`, test: pattern?.test ?? (() => true) }
    return named
  }

/** Returns true if a schema contains an inherited name such as `constructor`. Doesn't follow references. */
export function holdsInheritedName(schema: PlainSchema): boolean {
  const parts = new Set<unknown>([schema])
  for (const part of parts) {
    if (typeof part === "string" && isInherited(part)) return true
    if (typeof part !== "object" || part === null) continue
    for (const [key, value] of Object.entries(part)) {
      if (isInherited(key)) return true
      parts.add(value)
    }
  }
  return false
}

const isInherited = (name: string): boolean => Object.hasOwn(Object.prototype, name)
