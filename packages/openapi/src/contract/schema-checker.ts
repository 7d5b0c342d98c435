// Values against schemas: a quick verdict first, and only where it is bad the search for all that is wrong.

import { isJsonArray, type ContractProblem, type JsonValue } from "@callsheet/format"
import type { Located, OpenApiDocument } from "../document.ts"
import { describeBreach } from "./describe-breach.ts"
import { narrowBreaches } from "./narrow-breaches.ts"
import { textReadings, type HeaderOrBody } from "./read-text.ts"
import { createSchemaStore, type SchemaStore, type StoredSchema } from "./schema-store.ts"
import {
  createValidator,
  nativePatterns,
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
  /** What makes a schema useless, by pointer: it is said of every response that needs it, and tried once. */
  readonly unusable: Map<string, string>
}

export function createSchemaChecker(
  document: OpenApiDocument,
  patterns: PatternEngine = nativePatterns,
): SchemaChecker {
  let searching: Validator | undefined
  const checking: Checking = {
    document,
    store: createSchemaStore(document),
    verdicts: createValidator({ isSearching: false, patterns }),
    search: () => (searching ??= createValidator({ isSearching: true, patterns })),
    unusable: new Map(),
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
  const useless = checking.unusable.get(schema.pointer)
  if (useless !== undefined) return [{ path, message: useless }]
  let closure: readonly StoredSchema[]
  try {
    closure = checking.store.closureOf(schema)
  } catch (error) {
    return [{ path, message: refuse(checking, schema, error) }]
  }
  const broken = closure
    .flatMap((stored) => stored.broken)
    .map(({ reference, pointer }) => ({
      path,
      message: `the document's own reference "${reference}" (at #${pointer}) leads nowhere`,
    }))
  try {
    const [first] = checking.verdicts.validate(closure, value)
    if (first === undefined) return broken
    return [...broken, ...explain(checking, closure, { value, path, first })]
  } catch (error) {
    if (error instanceof RangeError)
      return [...broken, { path, message: "the value nests too deep to be checked" }]
    return [...broken, { path, message: refuse(checking, schema, error) }]
  }
}

function refuse({ unusable }: Checking, schema: Located, error: unknown): string {
  if (!(error instanceof Error)) throw error
  const message = `the document's schema at #${schema.pointer} cannot be used: ${error.message}`
  unusable.set(schema.pointer, message)
  return message
}

/** Values of more parts are told by their first breach: a search could find millions. */
const MAX_SEARCHED_PARTS = 100_000

function explain(
  { search, store }: Checking,
  closure: readonly StoredSchema[],
  { value, path, first }: { readonly value: JsonValue; readonly path: string; readonly first: Breach },
): readonly ContractProblem[] {
  const found = isLarge(value) ? [first] : search().validate(closure, value)
  const narrowed = narrowBreaches(found, {
    schemaOf: (id) => store.get(id)?.schema,
    breachesOf: (schema, part) => search().validatePart(schema, part),
  })
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
  for (const value of textReadings(checking.document, schema.value, text)) {
    const problems = check(checking, { schema, value, path })
    if (problems.length === 0) return problems
    first ??= problems
  }
  return first ?? []
}
