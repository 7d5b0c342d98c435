// Checks values against schemas. If the quick check fails, searches for every violation.

import {
  isJsonArray,
  once,
  getOrCreate,
  isJsonObject,
  memo,
  type ContractProblem,
  type JsonValue,
} from "@callsheet/format"
import type { OpenApiDocument } from "../../document/document.ts"
import { escapePointer } from "../../document/located.ts"
import type { Part } from "../../document/part.ts"
import { circleIn } from "../find-circles.ts"
import { PatternTooSlow } from "../patterns/create-pattern.ts"
import type { StepBudget } from "../patterns/pattern-machine.ts"
import type { Direction } from "../types/answers.ts"
import { describeViolation } from "./describe-violation.ts"
import { type Explained, narrowViolations } from "./narrow-violations.ts"
import { CHOOSES, placeSchema, type PlainSchema, pointerOf, type SchemaReference } from "./plain-schema.ts"
import { createEvaluator, type Evaluator, TooMuchWork } from "./evaluate-schema.ts"
import { emptyScope, enterScope, resolveDynamic, type DynamicScope } from "../dynamic-scope.ts"
import { createChooser, isDiscriminated } from "./choose-schema.ts"
import { normalizeSchema, type SchemaSurroundings } from "./normalize-schema.ts"

/** Returns the violations of the first reading, or none if any reading is valid. `path` is the JSON pointer of the value. */
export type CheckSchema = (
  schema: Part,
  readings: readonly JsonValue[],
  path: string,
) => readonly ContractProblem[]

interface Checking {
  readonly normalizedOf: NormalizedOf
  readonly evaluator: Evaluator
  readonly budget: StepBudget
}

/** The maximum number of steps per value, at most a few seconds. */
const MAX_STEPS = 50_000_000

/** `readsContent` also checks text against `contentSchema`, which is otherwise only a description. */
export function createSchemaChecker(
  direction: Direction,
  { readsContent = false }: { readonly readsContent?: boolean } = {},
): CheckSchema {
  const budget = { left: 0 }
  const checking: Checking = {
    normalizedOf: createSchemaStore(direction, readsContent),
    evaluator: createEvaluator(budget),
    budget,
  }
  return (schema, readings, path) => {
    let first: readonly ContractProblem[] | undefined
    for (const value of readings) {
      const problems = check(checking, { schema, value, path })
      if (problems.length === 0) return problems
      first ??= problems
    }
    return first ?? []
  }
}

interface Subject {
  readonly schema: Part
  readonly value: JsonValue
  readonly path: string
}

function check(checking: Checking, subject: Subject): readonly ContractProblem[] {
  const { schema, value, path } = subject
  checking.budget.left = MAX_STEPS
  try {
    const normal = checking.normalizedOf(schema)
    return checking.evaluator.isValid(normal, value) ? [] : explain(checking, normal, { value, path })
  } catch (error) {
    return [noVerdict(error, subject)]
  }
}

function noVerdict(error: unknown, subject: Subject): ContractProblem {
  const { value, path } = subject
  const schema = subject.schema.pointer
  if (error instanceof PatternTooSlow) {
    const at = path + (pointerOfText(value, error.text) ?? "")
    return { path: at, message: error.message, schema: `${pointerOf(error.schema) ?? schema}/pattern` }
  }
  if (error instanceof TooMuchWork)
    return { path, message: "the schema takes too long on this value", schema }
  // At the end of its stack, V8 sometimes throws a TypeError.
  if (error instanceof RangeError || error instanceof TypeError) return tooDeep(subject)
  throw error
}

function tooDeep({ path, schema }: Subject): ContractProblem {
  const circle = circleIn(schema)
  if (circle === undefined)
    return { path, message: "the value or its schema nests too deep to be checked", schema: schema.pointer }
  return {
    path,
    message: `the schema includes itself without end: ${circle.names.join(" → ")}`,
    schema: circle.at,
  }
}

function pointerOfText(value: JsonValue, text: string): string | undefined {
  const work: { readonly part: JsonValue; readonly pointer: string }[] = [{ part: value, pointer: "" }]
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const { part, pointer } = next
    if (part === text) return pointer
    if (typeof part !== "object" || part === null) continue
    const inner = Object.entries(part as Readonly<Record<string, JsonValue>>).reverse()
    for (const [key, child] of inner) {
      const below = `${pointer}/${escapePointer(key)}`
      if (key === text) return below
      work.push({ part: child, pointer: below })
    }
  }
  return undefined
}

/** The maximum number of parts to search. For a larger value, only the first violation is reported. */
const MAX_SEARCHED_PARTS = 100_000

function explain(
  { evaluator, budget }: Checking,
  schema: PlainSchema,
  { value, path }: { readonly value: JsonValue; readonly path: string },
): readonly ContractProblem[] {
  const describe = (violations: readonly Explained[]) =>
    violations.map((violation) => describeViolation(violation, path))
  const describeFirst = () => {
    budget.left = MAX_STEPS
    return describe(evaluator.violations(schema, value, { isFirst: true }))
  }
  if (isLarge(value)) return describeFirst()
  try {
    const problems = describe(narrowViolations(evaluator.violations(schema, value)))
    return [...new Map(problems.map((one) => [`${one.path} ${one.message}`, one])).values()]
  } catch (error) {
    // The search may run out of budget, because it visits parts that the check skipped.
    if (!(error instanceof PatternTooSlow) && !(error instanceof TooMuchWork)) throw error
    return describeFirst()
  }
}

function isLarge(value: JsonValue): boolean {
  let parts = 0
  const work: JsonValue[] = [value]
  for (let part = work.pop(); part !== undefined; part = work.pop()) {
    if (typeof part !== "object" || part === null) continue
    const inner: readonly JsonValue[] = isJsonArray(part) ? part : Object.values(part)
    parts += inner.length
    if (parts > MAX_SEARCHED_PARTS) return true
    for (const one of inner) work.push(one)
  }
  return false
}

/** The use of a schema: the target of a reference (applies its discriminator), a base (doesn't), or any other. */
type SchemaUse = "named" | "base" | "whole"

/** Returns the normalized schema, always the same for a location in the document. */
type NormalizedOf = (schema: Part) => PlainSchema

/**
 * Creates the store of normalized schemas. Each schema is normalized once, on first use. Documents may have different
 * schemas at the same location.
 */
export function createSchemaStore(direction: Direction, readsContent = false): NormalizedOf {
  const referencesOf = memo((_: OpenApiDocument) => new Map<string, SchemaReference>())
  // The key depends on the location, the use and, for `$dynamicRef`, the scope.
  const refer = (schema: Part, use: SchemaUse, from: DynamicScope): SchemaReference => {
    const scope = enterScope(from, schema)
    const key = `${use} ${schema.pointer}${[...scope].map(([name, { pointer }]) => ` ${name} ${pointer}`).join("")}`
    return getOrCreate(referencesOf(schema.document), key, () => ({
      schema: once(() => make(schema, use, scope)),
    }))
  }
  // YAML aliases share objects. Read each only once.
  const firsts = new WeakMap<object, Part>()
  const surroundings: SchemaSurroundings = {
    direction,
    readsContent,
    refer: (part, scope) => {
      const first = isJsonObject(part.value) ? getOrCreate(firsts, part.value, () => part) : part
      return refer(first, "whole", scope)
    },
    targetOf: (reference, { from, scope, isDynamic, isBase }) => {
      const found = isDynamic ? resolveDynamic(from, reference, scope) : from.resolve(reference)
      // References that lead only to each other are broken.
      if (found?.dereference() === undefined) return undefined
      return refer(found, isBase && isDiscriminated(found) ? "base" : "named", scope)
    },
  }
  const make = (schema: Part, use: SchemaUse, scope: DynamicScope): PlainSchema => {
    const chooser = use === "named" ? createChooser(schema, (one) => refer(one, "base", scope)) : undefined
    return chooser === undefined
      ? normalizeSchema(schema, { ...surroundings, scope, isBase: use === "base" })
      : placeSchema({ [CHOOSES]: chooser }, schema.pointer)
  }
  // Caches references per schema, because every check needs one.
  const referenceOf = memo((schema: Part) => refer(schema, "whole", emptyScope))
  return (schema) => referenceOf(schema).schema()
}
