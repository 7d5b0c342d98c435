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
import { escapePointer, showPart } from "../../document/located.ts"
import type { Part } from "../../document/part.ts"
import { circleIn } from "../find-circles.ts"
import { PatternTooSlow } from "../patterns/create-pattern.ts"
import type { StepBudget } from "../patterns/pattern-machine.ts"
import type { Direction } from "../types/answers.ts"
import { describeViolation } from "./describe-violation.ts"
import { narrowViolations } from "./narrow-violations.ts"
import { pointerOf, CHOOSES, placeSchema, type PlainSchema } from "./plain-schema.ts"
import { createValidator, TooMuchWork, UnusableSchema, type Violation, type Validator } from "./validator.ts"
import { emptyScope, enterScope, resolveDynamic, type DynamicScope } from "../dynamic-scope.ts"
import { createChooser, isDiscriminated } from "./choose-schema.ts"
import { normalizeSchema, type SchemaSurroundings } from "./normalize-schema.ts"

export interface SchemaChecker {
  /**
   * Returns the violations of the first reading, or none if any reading is valid. `path` is the JSON pointer of the
   * value.
   */
  readonly check: (schema: Part, readings: readonly JsonValue[], path: string) => readonly ContractProblem[]
}

interface Checking {
  readonly store: SchemaStore
  readonly verdicts: Validator
  /** Returns the validator that finds every violation. Created when the first check fails. */
  readonly search: () => Validator
  readonly budget: StepBudget
}

/** The maximum number of steps per value, at most a few seconds. */
const MAX_STEPS = 50_000_000

/** Creates a checker for requests or, by default, for responses. */
export function createSchemaChecker(direction?: Direction): SchemaChecker {
  const store = createSchemaStore(direction)
  const budget = { left: 0 }
  const make = (isSearching: boolean) => createValidator({ isSearching, schemaOf: store.get, budget })
  const checking: Checking = { store, verdicts: make(false), search: once(() => make(true)), budget }
  const checkAny: SchemaChecker["check"] = (schema, readings, path) => {
    let first: readonly ContractProblem[] | undefined
    for (const value of readings) {
      const problems = check(checking, { schema, value, path })
      if (problems.length === 0) return problems
      first ??= problems
    }
    return first ?? []
  }
  return { check: checkAny }
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
    const normal = checking.store.get(checking.store.idOf(schema))
    const first = decisive(checking.verdicts.validate(normal, value))
    return first === undefined ? [] : explain(checking, normal, { value, path, first })
  } catch (error) {
    return [noVerdict(error, subject)]
  }
}

/**
 * Returns the violation that decides a quick check: the last one that isn't from `if`. Earlier ones are from single
 * alternatives.
 */
const decisive = (violations: readonly Violation[]): Violation | undefined =>
  violations.findLast(({ keyword }) => keyword !== "if") ?? violations[0]

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
  if (!(error instanceof UnusableSchema)) throw error
  return { path, message: `the document's schema at ${showPart(schema)} can't be used`, schema }
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
  { search, store }: Checking,
  schema: PlainSchema,
  { value, path, first }: { readonly value: JsonValue; readonly path: string; readonly first: Violation },
): readonly ContractProblem[] {
  const violationsOf = (part: PlainSchema, partOfValue: JsonValue) => search().validate(part, partOfValue)
  const describe = (violations: readonly Violation[]) =>
    violations.map((violation) => describeViolation(violation, path))
  if (isLarge(value)) return describe([first])
  try {
    const narrowed = narrowViolations(violationsOf(schema, value), { schemaOf: store.get, violationsOf })
    // A failed check is final, even if the search finds nothing.
    if (narrowed.length === 0) return describe([first])
    return [...new Map(describe(narrowed).map((one) => [`${one.path} ${one.message}`, one])).values()]
  } catch (error) {
    // The search may run out of budget, because it visits parts that the check skipped.
    if (!(error instanceof PatternTooSlow) && !(error instanceof TooMuchWork)) throw error
    return describe([first])
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

interface SchemaStore {
  /** Returns the id of a schema, always the same for a location in the document. */
  readonly idOf: (schema: Part) => string
  /** Returns the normalized schema. References are read when they are requested. */
  readonly get: (id: string) => PlainSchema
}

/** The use of a schema: the target of a reference (applies its discriminator), a base (doesn't), or any other. */
type SchemaUse = "named" | "base" | "whole"

interface Entry {
  readonly schema: Part
  readonly scope: DynamicScope
  readonly use: SchemaUse
}

/** Creates the store of normalized schemas. Each schema is normalized once and has an id for references. */
export function createSchemaStore(direction: Direction = "response"): SchemaStore {
  const ids = new Map<string, string>()
  const entries = new Map<string, Entry>()
  const normal = new Map<string, PlainSchema>()
  // The id depends on the location, the use and, for `$dynamicRef`, the scope.
  const idOf = (schema: Part, use: SchemaUse, from: DynamicScope): string => {
    const scope = enterScope(from, schema)
    const key = `${use} ${schema.pointer}${[...scope].map(([name, { pointer }]) => ` ${name} ${pointer}`).join("")}`
    return getOrCreate(ids, key, () => {
      const id = `schema ${ids.size}`
      entries.set(id, { schema, scope, use })
      return id
    })
  }
  // YAML aliases share objects. Read each only once.
  const firsts = new WeakMap<object, Part>()
  const firstOf = (part: Part): Part => {
    if (!isJsonObject(part.value)) return part
    return getOrCreate(firsts, part.value, () => part)
  }
  const surroundings: SchemaSurroundings = {
    direction,
    idOfPart: (part, scope) => idOf(firstOf(part), "whole", scope),
    idOf: (reference, { from, scope, isDynamic, isBase }) => {
      const found = isDynamic ? resolveDynamic(from, reference, scope) : from.resolve(reference)
      // References that lead only to each other are broken.
      if (found?.dereference() === undefined) return undefined
      return idOf(found, isBase && isDiscriminated(found) ? "base" : "named", scope)
    },
  }
  const ofMade = (schema: PlainSchema): string => {
    const id = `schema made ${normal.size}`
    normal.set(id, schema)
    return id
  }
  const make = ({ schema, scope, use }: Entry): PlainSchema => {
    const ids = { ofBase: (one: Part) => idOf(one, "base", scope), ofMade }
    const chooser = use === "named" ? createChooser(schema, ids) : undefined
    return chooser === undefined
      ? normalizeSchema(schema, { ...surroundings, scope, isBase: use === "base" })
      : placeSchema({ [CHOOSES]: chooser }, schema.pointer)
  }
  // Caches ids per schema, because every check needs one.
  return {
    idOf: memo((schema: Part) => idOf(schema, "whole", emptyScope)),
    get: (id) => getOrCreate(normal, id, () => make(entries.get(id)!)),
  }
}
