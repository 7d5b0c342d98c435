// Evaluates values by normalized schemas. Interprets the schemas: no text of a document ever becomes program text.

import {
  attempt,
  getOrCreate,
  isJsonArray,
  isJsonObject,
  type JsonValue,
  once,
  ownOf,
  parseJson,
} from "@callsheet/format"
import { escapePointer } from "../../document/located.ts"
import { createPattern, type Pattern, PatternTooSlow } from "../patterns/create-pattern.ts"
import type { StepBudget } from "../patterns/pattern-machine.ts"
import { exactKeywords } from "./exact-keywords.ts"
import {
  type Chooser,
  CHOOSES,
  FORBIDS,
  LEADS_NOWHERE,
  NOT_SENT,
  type PlainObject,
  type PlainSchema,
  REFERS_TO,
  type SchemaReference,
} from "./plain-schema.ts"

export interface Violation {
  readonly keyword: string
  readonly pointer: string
  /** The keyword's value. */
  readonly expected: unknown
  readonly schema: PlainObject
  readonly value: JsonValue
  /** The missing or unexpected property or item, or the wrong property name. */
  readonly name?: string | number
  /** The property that requires the missing one. */
  readonly requiredBy?: string
  /** The indexes of the alternatives that match although only one may. */
  readonly passing?: readonly number[]
  /** The violations of each alternative. Their pointers start at the value. */
  readonly attempts?: readonly (readonly Violation[])[]
}

/** A function of an evaluator throws PatternTooSlow and TooMuchWork if the result isn't ready in time. */
export interface Evaluator {
  readonly isValid: (schema: PlainSchema, value: JsonValue) => boolean
  /** Returns the violations. If `isFirst` is true, returns only the first, without those of its alternatives. */
  readonly violations: (
    schema: PlainSchema,
    value: JsonValue,
    options?: { readonly isFirst: boolean },
  ) => readonly Violation[]
}

/** Thrown if the budget runs out. In a recursive schema, each branch can double the work. */
export class TooMuchWork extends Error {
  override readonly name = "TooMuchWork"
}

/** Creates an evaluator. The budget is for every followed reference and every pattern. */
export function createEvaluator(budget: StepBudget): Evaluator {
  const checks = new Map<PlainSchema, Check>()
  const patterns = new Map<string, Pattern>()
  const tools: Tools = {
    compile: (schema) => getOrCreate(checks, schema, () => compileSchema(schema, tools)),
    patternOf: (source) => getOrCreate(patterns, source, () => lenientPattern(source, budget)),
    follow: () => {
      budget.left -= STEPS_OF_REFERENCE
      if (budget.left < 0) throw new TooMuchWork()
    },
  }
  return {
    isValid: (schema, value) => tools.compile(schema)(value),
    violations: (schema, value, { isFirst } = { isFirst: false }) => {
      const found: Violation[] = []
      tools.compile(schema)(value, { pointer: "", found, isFirst })
      return found
    },
  }
}

/** The cost of following a reference, in steps of the pattern machine. */
const STEPS_OF_REFERENCE = 16

/** An invalid pattern accepts anything. */
const lenientPattern = (source: string, budget: StepBudget): Pattern =>
  attempt(() => createPattern(source, budget)) ?? { test: () => true }

/**
 * Returns whether a value is valid. Without a trace, only this result matters, so that it stops at the first violation.
 * `evaluated` collects the properties or items that the schema evaluates (JSON Schema 2020-12 section 11).
 */
type Check = (value: JsonValue, trace?: Trace, evaluated?: Evaluated) => boolean

interface Trace {
  readonly pointer: string
  readonly found: Violation[]
  readonly isFirst: boolean
}

type Evaluated = Set<string | number>

interface Tools {
  readonly compile: (schema: PlainSchema) => Check
  readonly patternOf: (source: string) => Pattern
  /** Takes the cost of a reference from the budget. */
  readonly follow: () => void
}

interface Keyword extends Tools {
  readonly schema: PlainObject
  /** Adds a violation to the trace. Returns false. */
  readonly refuse: (value: JsonValue, trace: Trace | undefined, details?: Details) => false
}

type Details = Pick<Violation, "name" | "requiredBy" | "passing" | "attempts">

function compileSchema(schema: PlainSchema, tools: Tools): Check {
  if (typeof schema === "boolean") return () => schema
  const checksOf = (table: KeywordTable) =>
    table
      .filter(([name]) => Object.hasOwn(schema, name))
      .map(([name, make]) => make(ownOf(schema, name) as never, keywordOf(name, schema, tools)))
  const check = checkAll(checksOf(keywords))
  const last = checksOf(unevaluatedKeywords)
  if (last.length === 0) return check
  const both = checkAll([check, ...last])
  return (value, trace, evaluated) => {
    const own: Evaluated = new Set()
    const isValid = both(value, trace, own)
    addAll(own, evaluated)
    return isValid
  }
}

const keywordOf = (keyword: string, schema: PlainObject, tools: Tools): Keyword => ({
  ...tools,
  schema,
  refuse: (value, trace, details) => {
    trace?.found.push({
      keyword,
      pointer: trace.pointer,
      expected: ownOf(schema, keyword),
      schema,
      value,
      ...details,
    })
    return false
  },
})

/** A test of the value itself. It isn't a `Check`, because a call less per test makes checks a fifth faster. */
interface ScalarTest {
  readonly test: (value: JsonValue) => boolean
  readonly refuse: Keyword["refuse"]
}

function checkAll(checks: readonly (Check | ScalarTest)[]): Check {
  const [only, ...others] = checks
  // Without a needless call per level, values may nest deeper.
  if (typeof only === "function" && others.length === 0) return only
  return (value, trace, evaluated) => {
    let isValid = true
    for (let index = 0; index < checks.length; index++) {
      const check = checks[index] as Check | ScalarTest
      if (typeof check === "function" ? check(value, trace, evaluated) : check.test(value)) continue
      if (typeof check !== "function") check.refuse(value, trace)
      if (stops(trace)) return false
      isValid = false
    }
    return isValid
  }
}

/** Returns whether the first failure decides. */
const stops = (trace: Trace | undefined): boolean => trace === undefined || trace.isFirst

/** Tests every item. Stops at the first failure unless the trace collects all of them. */
function every<T>(
  items: readonly T[],
  trace: Trace | undefined,
  test: (item: T, index: number) => boolean,
): boolean {
  let isValid = true
  for (let index = 0; index < items.length; index++) {
    if (test(items[index] as T, index)) continue
    if (stops(trace)) return false
    isValid = false
  }
  return isValid
}

const below = (trace: Trace | undefined, key: string | number): Trace | undefined =>
  trace && { ...trace, pointer: `${trace.pointer}/${escapePointer(String(key))}` }

function addAll(parts: Evaluated, evaluated: Evaluated | undefined): void {
  if (evaluated !== undefined) for (const part of parts) evaluated.add(part)
}

/** Checks a schema that may fail. It evaluates nothing if it does. */
function tryCheck(
  check: Check,
  value: JsonValue,
  { trace, evaluated }: { readonly trace?: Trace | undefined; readonly evaluated: Evaluated | undefined },
): boolean {
  const parts = evaluated && new Set<string | number>()
  if (!check(value, trace, parts)) return false
  if (parts !== undefined) addAll(parts, evaluated)
  return true
}

type MakeCheck = (expected: never, keyword: Keyword) => Check | ScalarTest

type KeywordTable = readonly (readonly [name: string, make: MakeCheck])[]

type Schemas = Readonly<Record<string, PlainSchema>>

/** Creates a keyword that looks only at the value itself. */
const scalar =
  (makeTest: (expected: JsonValue) => (value: JsonValue) => boolean): MakeCheck =>
  (expected: JsonValue, { refuse }) => ({ test: makeTest(expected), refuse })

const never = scalar(() => () => false)

const choice =
  (isExclusive: boolean): MakeCheck =>
  (schemas: readonly PlainSchema[], { compile, refuse }) => {
    const checks = schemas.map(compile)
    return (value, trace, evaluated) => {
      const attempts: Violation[][] = []
      const passing: number[] = []
      for (const [index, check] of checks.entries()) {
        const attempt = trace?.isFirst === false ? { ...trace, pointer: "", found: [] } : undefined
        if (tryCheck(check, value, { trace: attempt, evaluated })) passing.push(index)
        else attempts.push(attempt?.found ?? [])
        if (isExclusive ? passing.length > 1 : passing.length > 0 && evaluated === undefined) break
      }
      if (passing.length === 1 || (!isExclusive && passing.length > 1)) return true
      return refuse(value, trace, passing.length === 0 ? { attempts } : { passing })
    }
  }

/** Creates a keyword for the properties that no other keyword describes. */
const restOfObject =
  (describedBy: (keyword: Keyword) => (name: string, evaluated?: Evaluated) => boolean): MakeCheck =>
  (schema: PlainSchema, keyword) => {
    const isDescribed = describedBy(keyword)
    const check = keyword.compile(schema)
    return (value, trace, evaluated) => {
      if (!isJsonObject(value)) return true
      return every(Object.entries(value), trace, ([name, part]) => {
        if (isDescribed(name, evaluated)) return true
        evaluated?.add(name)
        if (schema === false) return keyword.refuse(value, trace, { name })
        return check(part, below(trace, name))
      })
    }
  }

const patternTests = (schemas: Schemas, { patternOf, compile }: Tools) =>
  Object.entries(schemas).map(([source, schema]) => ({
    pattern: patternOf(source),
    check: compile(schema),
  }))

const mapOf = (value: unknown): Schemas => (value ?? {}) as Schemas

/** In the order of the reported violations. */
const keywords: KeywordTable = Object.entries<MakeCheck>({
  type: scalar(exactKeywords.type),
  not: (schema: PlainSchema, { compile, refuse }) => {
    const check = compile(schema)
    return (value, trace) => !check(value) || refuse(value, trace)
  },
  anyOf: choice(false),
  oneOf: choice(true),
  allOf: (schemas: readonly PlainSchema[], { compile }) => checkAll(schemas.map(compile)),
  if: (condition: PlainSchema, { schema, compile }) => {
    const test = compile(condition)
    const [then, otherwise] = [schema["then"], schema["else"]].map((one) =>
      compile((one as PlainSchema | undefined) ?? true),
    ) as [Check, Check]
    return (value, trace, evaluated) =>
      (tryCheck(test, value, { evaluated }) ? then : otherwise)(value, trace, evaluated)
  },
  ...Object.fromEntries(Object.entries(exactKeywords).map(([name, makeTest]) => [name, scalar(makeTest)])),
  pattern: (source: string, { patternOf, schema, refuse }) => {
    const { test } = patternOf(source)
    return { test: (value) => typeof value !== "string" || testIn(schema, test, value), refuse }
  },
  contentSchema: (schema: PlainSchema, { compile, refuse }) => {
    const check = compile(schema)
    return (value, trace) => {
      if (typeof value !== "string") return true
      const parsed = parseJson(value, { allowDuplicateKeys: true })
      return parsed.ok ? check(parsed.value, trace) : refuse(value, trace)
    }
  },
  [LEADS_NOWHERE]: never,
  [NOT_SENT]: never,
  [FORBIDS]: never,
  [REFERS_TO]: (reference: SchemaReference, { compile, follow }) => {
    const check = once(() => compile(reference.schema()))
    return (value, trace, evaluated) => {
      follow()
      return check()(value, trace, evaluated)
    }
  },
  [CHOOSES]:
    (choose: Chooser, { compile, follow }) =>
    (value, trace, evaluated) => {
      follow()
      return compile(choose(value).schema())(value, trace, evaluated)
    },
  contains: (schema: PlainSchema, { schema: beside, compile, refuse }) => {
    const check = compile(schema)
    const { minContains = 1, maxContains = Infinity } = beside as Readonly<Record<string, number>>
    return (value, trace, evaluated) => {
      if (!isJsonArray(value)) return true
      const matching = [...value.keys()].filter((index) => check(value[index] as JsonValue))
      for (const index of matching) evaluated?.add(index)
      const count = matching.length
      return (count >= minContains && count <= maxContains) || refuse(value, trace)
    }
  },
  prefixItems: (schemas: readonly PlainSchema[], { compile }) => {
    const checks = schemas.map(compile)
    return (value, trace, evaluated) => {
      if (!isJsonArray(value)) return true
      return every(checks, trace, (check, index) => {
        evaluated?.add(index)
        return index >= value.length || check(value[index] as JsonValue, below(trace, index))
      })
    }
  },
  items: (schema: PlainSchema, { schema: beside, compile, refuse }) => {
    const first = ((beside["prefixItems"] as readonly PlainSchema[] | undefined) ?? []).length
    const check = compile(schema)
    return (value, trace, evaluated) => {
      if (!isJsonArray(value)) return true
      if (schema === false) return value.length <= first || refuse(value, trace)
      let isValid = true
      for (let index = first; index < value.length; index++) {
        evaluated?.add(index)
        if (check(value[index] as JsonValue, below(trace, index))) continue
        if (stops(trace)) return false
        isValid = false
      }
      return isValid
    }
  },
  required:
    (names: readonly string[], { refuse }) =>
    (value, trace) =>
      !isJsonObject(value) ||
      every(names, trace, (name) => Object.hasOwn(value, name) || refuse(value, trace, { name })),
  propertyNames: (schema: PlainSchema, { compile, refuse }) => {
    const check = compile(schema)
    return (value, trace) =>
      !isJsonObject(value) ||
      every(Object.keys(value), trace, (name) => check(name) || refuse(value, trace, { name }))
  },
  additionalProperties: restOfObject(({ schema, patternOf }) => {
    const names = new Set(Object.keys(mapOf(schema["properties"])))
    const patterns = Object.keys(mapOf(schema["patternProperties"])).map(patternOf)
    return (name) => names.has(name) || patterns.some(({ test }) => test(name))
  }),
  properties: (schemas: Schemas, { compile }) => {
    const checks = Object.entries(schemas).map(([name, schema]) => ({ name, check: compile(schema) }))
    return (value, trace, evaluated) => {
      if (!isJsonObject(value)) return true
      let isValid = true
      for (const { name, check } of checks) {
        const part = ownOf(value, name)
        if (part === undefined) continue
        evaluated?.add(name)
        if (check(part, below(trace, name))) continue
        if (stops(trace)) return false
        isValid = false
      }
      return isValid
    }
  },
  patternProperties: (schemas: Schemas, keyword) => {
    const tests = patternTests(schemas, keyword)
    return (value, trace, evaluated) => {
      if (!isJsonObject(value)) return true
      return every(tests, trace, ({ pattern, check }) =>
        every(Object.entries(value), trace, ([name, part]) => {
          if (!pattern.test(name)) return true
          evaluated?.add(name)
          return check(part, below(trace, name))
        }),
      )
    }
  },
  dependentRequired: (names: Readonly<Record<string, readonly string[]>>, { refuse }) => {
    const entries = Object.entries(names)
    return (value, trace) =>
      !isJsonObject(value) ||
      every(
        entries,
        trace,
        ([requiredBy, required]) =>
          !Object.hasOwn(value, requiredBy) ||
          every(
            required,
            trace,
            (name) => Object.hasOwn(value, name) || refuse(value, trace, { name, requiredBy }),
          ),
      )
  },
  dependentSchemas: (schemas: Schemas, { compile }) => {
    const checks = Object.entries(schemas).map(([name, schema]) => [name, compile(schema)] as const)
    return (value, trace, evaluated) =>
      !isJsonObject(value) ||
      every(checks, trace, ([name, check]) => !Object.hasOwn(value, name) || check(value, trace, evaluated))
  },
})

/** These come after all others, which collect what they evaluate. */
const unevaluatedKeywords: KeywordTable = Object.entries<MakeCheck>({
  unevaluatedItems: (schema: PlainSchema, { compile, refuse }) => {
    const check = compile(schema)
    return (value, trace, evaluated) => {
      if (!isJsonArray(value)) return true
      return every(value, trace, (item, name) => {
        if (evaluated?.has(name) === true) return true
        evaluated?.add(name)
        return schema === false ? refuse(value, trace, { name }) : check(item, below(trace, name))
      })
    }
  },
  unevaluatedProperties: restOfObject(() => (name, evaluated) => evaluated?.has(name) === true),
})

function testIn(schema: PlainObject, test: (text: string) => boolean, text: string): boolean {
  try {
    return test(text)
  } catch (error) {
    if (error instanceof PatternTooSlow) error.schema = schema
    throw error
  }
}
