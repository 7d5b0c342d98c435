// Values against schemas: a quick verdict first, and only where it is bad the search for all that is wrong.

import { isJsonArray, type ContractProblem, type JsonValue } from "@callsheet/format"
import type { Located, OpenApiDocument } from "../document.ts"
import { describeBreach } from "./describe-breach.ts"
import { narrowBreaches } from "./narrow-breaches.ts"
import { textReadings, type HeaderOrBody } from "./read-text.ts"
import type { PlainSchema } from "./normalise-schema.ts"
import { createSchemaStore, type SchemaStore } from "./schema-store.ts"
import {
  createValidator,
  nativePatterns,
  UnusableSchema,
  type Breach,
  type PatternEngine,
  type Validator,
} from "./validator.ts"

export interface SchemaChecker {
  /** Everything in `value` that the schema forbids; `path` is the JSON pointer of the value in the response. */
  readonly check: (schema: Located, value: JsonValue, path: string) => readonly ContractProblem[]
  /** The same for a text that stands for a value of the declared type; an object's way of writing is not known. */
  readonly checkText: (schema: Located, text: HeaderOrBody, path: string) => readonly ContractProblem[]
}

interface Checking {
  readonly document: OpenApiDocument
  readonly store: SchemaStore
  readonly verdicts: Validator
  /** Made at the first bad verdict. */
  readonly search: () => Validator
}

export function createSchemaChecker(
  document: OpenApiDocument,
  patterns: PatternEngine = nativePatterns,
): SchemaChecker {
  const store = createSchemaStore(document)
  const make = (isSearching: boolean) => createValidator({ isSearching, patterns, schemaOf: store.get })
  let searching: Validator | undefined
  const checking: Checking = {
    document,
    store,
    verdicts: make(false),
    search: () => (searching ??= make(true)),
  }
  return {
    check: (schema, value, path) => check(checking, { schema, value, path }),
    checkText: (schema, text, path) => checkText(checking, text, { schema, path }),
  }
}

interface Subject {
  readonly schema: Located
  readonly value: JsonValue
  readonly path: string
}

function check(checking: Checking, { schema, value, path }: Subject): readonly ContractProblem[] {
  try {
    const normal = checking.store.get(checking.store.idOf(schema))
    const [first] = checking.verdicts.validate(normal, value)
    return first === undefined ? [] : explain(checking, normal, { value, path, first })
  } catch (error) {
    // At the end of its stack V8 throws a TypeError now and then: of a function that is not there.
    if (error instanceof RangeError || error instanceof TypeError)
      return [{ path, message: "the value or its schema nests too deep to be checked" }]
    if (!(error instanceof UnusableSchema)) throw error
    return [{ path, message: `the document's schema at #${schema.pointer} cannot be used: ${error.message}` }]
  }
}

/** Values of more parts are told by their first breach: a search could find millions. */
const MAX_SEARCHED_PARTS = 100_000

function explain(
  { search, store }: Checking,
  schema: PlainSchema,
  { value, path, first }: { readonly value: JsonValue; readonly path: string; readonly first: Breach },
): readonly ContractProblem[] {
  const breachesOf = (part: PlainSchema, partOfValue: JsonValue) => search().validate(part, partOfValue)
  const found = isLarge(value) ? [first] : breachesOf(schema, value)
  const narrowed = narrowBreaches(found, { schemaOf: store.get, breachesOf })
  const problems = new Map<string, ContractProblem>()
  for (const breach of narrowed) {
    const problem = describeBreach(breach, path)
    problems.set(`${problem.path} ${problem.message}`, problem)
  }
  return [...problems.values()]
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

/** Good where any reading of the text is; else the reading of the declared type says what is wrong. */
function checkText(
  checking: Checking,
  text: HeaderOrBody,
  { schema, path }: { readonly schema: Located; readonly path: string },
): readonly ContractProblem[] {
  let first: readonly ContractProblem[] | undefined
  for (const value of textReadings(checking.document, schema, text)) {
    const problems = check(checking, { schema, value, path })
    if (problems.length === 0) return problems
    first ??= problems
  }
  return first ?? []
}
