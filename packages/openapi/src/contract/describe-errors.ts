// ajv's errors -> problems in plain words. The noise of alternatives is cut down to the branch that was meant.

import type { ErrorObject } from "ajv/dist/2020.js"
import { describeType, type ContractProblem } from "@callsheet/format"
import { EXACT } from "./normalise-schema.ts"

/** `path` is the JSON pointer of the checked value in the response. */
export function describeErrors(errors: readonly ErrorObject[], path: string): readonly ContractProblem[] {
  const problems = new Map<string, ContractProblem>()
  for (const error of withoutNoise(errors)) {
    const problem = { path: `${path}${error.instancePath}`, message: describe(error, path) }
    problems.set(`${problem.path} ${problem.message}`, problem)
  }
  return [...problems.values()]
}

/** An error of `oneOf` or `anyOf` with what its branches said. */
interface Alternatives extends ErrorObject {
  closest?: readonly ErrorObject[]
}

const isAlternatives = (error: ErrorObject): boolean => error.keyword === "oneOf" || error.keyword === "anyOf"

/**
 * ajv puts the errors of every branch right before the error of the alternatives. They are taken out; where one branch
 * was clearly meant its errors stand instead.
 */
function withoutNoise(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const kept: ErrorObject[] = []
  for (const error of errors) {
    // `if` only says that `then` or `else` failed, which it does itself.
    if (error.keyword === "if") continue
    if (!isAlternatives(error) || !Array.isArray(error.schema)) {
      kept.push(error)
      continue
    }
    const inner: ErrorObject[] = []
    for (let last = kept.at(-1); last !== undefined && isInside(last, error); last = kept.at(-1))
      inner.unshift(kept.pop()!)
    const meant = meantBranch(error, inner)
    if (meant !== undefined) kept.push(...meant)
    else kept.push({ ...error, closest: inner } as Alternatives)
  }
  return kept
}

const isInside = (inner: ErrorObject, outer: ErrorObject): boolean =>
  inner.instancePath.startsWith(outer.instancePath) &&
  (inner.schemaPath.startsWith(`${outer.schemaPath}/`) ||
    branchesOf(outer).some((branch) => isOfBranch(inner, branch)))

interface Branch {
  readonly index: number
  readonly error: ErrorObject
  readonly target: string | undefined
}

const branchesOf = (error: ErrorObject): readonly Branch[] =>
  (error.schema as readonly unknown[]).map((schema, index) => ({
    index,
    error,
    target:
      typeof schema === "object" && schema !== null && "$ref" in schema ? String(schema.$ref) : undefined,
  }))

const isOfBranch = (inner: ErrorObject, { index, error, target }: Branch): boolean =>
  inner.schemaPath.startsWith(`${error.schemaPath}/${index}/`) ||
  (target !== undefined && inner.schemaPath.startsWith(`${target}/`))

/** The errors of the one branch that the value was meant for: by discriminator, or the only one of its type. */
function meantBranch(error: ErrorObject, inner: readonly ErrorObject[]): readonly ErrorObject[] | undefined {
  if (inner.length === 0) return undefined
  const groups = branchesOf(error)
    .map((branch) => inner.filter((one) => isOfBranch(one, branch)))
    .filter((group) => group.length > 0)
  // A branch of another type, or with another constant in a property, was not meant.
  const possible = groups.filter((group) => !group.some((one) => isOtherKind(one, error)))
  return possible.length === 1 ? possible[0] : undefined
}

const isOtherKind = (inner: ErrorObject, outer: ErrorObject): boolean =>
  (inner.keyword === "type" && inner.instancePath === outer.instancePath) ||
  ((inner.keyword === "const" || inner.keyword === "enum") && depthBelow(inner, outer) === 1)

const depthBelow = (inner: ErrorObject, outer: ErrorObject): number =>
  inner.instancePath.slice(outer.instancePath.length).split("/").length - 1

type Params = Readonly<Record<string, unknown>>

const sentences: Readonly<Record<string, (params: Params, error: ErrorObject) => string>> = {
  type: ({ type }, { data }) => `expected ${words(type)}, came ${describeType(data)}${quoteScalar(data)}`,
  required: ({ missingProperty }) => `the property ${JSON.stringify(missingProperty)} is missing`,
  dependentRequired: ({ missingProperty }) => `the property ${JSON.stringify(missingProperty)} is missing`,
  additionalProperties: ({ additionalProperty }) =>
    `the property ${JSON.stringify(additionalProperty)} is not allowed`,
  unevaluatedProperties: ({ unevaluatedProperty }) =>
    `the property ${JSON.stringify(unevaluatedProperty)} is not allowed`,
  enum: ({ allowedValues }, { data }) => `expected one of ${quoteAll(allowedValues)}, came ${quote(data)}`,
  const: ({ allowedValue }, { data }) => `expected ${quote(allowedValue)}, came ${quote(data)}`,
  format: ({ format }, { data }) => `expected the format ${String(format)}, came ${quote(data)}`,
  pattern: ({ pattern }, { data }) => `expected a match of ${quote(pattern)}, came ${quote(data)}`,
  minimum: ({ limit }, { data }) => `expected ${String(limit)} or more, came ${quote(data)}`,
  maximum: ({ limit }, { data }) => `expected ${String(limit)} or less, came ${quote(data)}`,
  exclusiveMinimum: ({ limit }, { data }) => `expected more than ${String(limit)}, came ${quote(data)}`,
  exclusiveMaximum: ({ limit }, { data }) => `expected less than ${String(limit)}, came ${quote(data)}`,
  multipleOf: ({ multipleOf }, { data }) =>
    `expected a multiple of ${String(multipleOf)}, came ${quote(data)}`,
  minLength: ({ limit }, { data }) => `expected at least ${String(limit)} characters, came ${quote(data)}`,
  maxLength: ({ limit }, { data }) => `expected at most ${String(limit)} characters, came ${quote(data)}`,
  minItems: ({ limit }, { data }) => `expected at least ${String(limit)} items, came ${count(data)}`,
  maxItems: ({ limit }, { data }) => `expected at most ${String(limit)} items, came ${count(data)}`,
  minProperties: ({ limit }) => `expected at least ${String(limit)} properties`,
  maxProperties: ({ limit }) => `expected at most ${String(limit)} properties`,
  uniqueItems: ({ i, j }) => `the items ${String(j)} and ${String(i)} are equal; expected unique items`,
  "false schema": () => "nothing is allowed here",
  [EXACT]: (_, { data }) => `the integer (about ${String(data)}) is outside of what the schema allows`,
  not: () => "the value is one that is not allowed",
}

function describe(error: ErrorObject, path: string): string {
  if (isAlternatives(error)) return describeAlternatives(error, path)
  return (
    sentences[error.keyword]?.(error.params as Params, error) ??
    error.message ??
    "the value breaks the schema"
  )
}

function describeAlternatives(error: Alternatives, path: string): string {
  const count = Array.isArray(error.schema) ? error.schema.length : 0
  const params = error.params as { passingSchemas?: readonly number[] | null }
  if (Array.isArray(params.passingSchemas)) {
    return `matches more than one of ${count} alternatives (${params.passingSchemas.map((index) => index + 1).join(" and ")}); expected exactly one`
  }
  const deepest = [...(error.closest ?? [])].sort((a, b) => b.instancePath.length - a.instancePath.length)[0]
  const closest =
    deepest === undefined ? "" : `; for example ${path}${deepest.instancePath}: ${describe(deepest, path)}`
  return `matches none of ${count} alternatives${closest}`
}

const articles: Readonly<Record<string, string>> = {
  array: "an array",
  integer: "an integer",
  object: "an object",
  null: "null",
}

const words = (type: unknown): string =>
  (Array.isArray(type) ? (type as unknown[]) : [type])
    .map((one) => articles[String(one)] ?? `a ${String(one)}`)
    .join(" or ")

const quoteScalar = (data: unknown): string =>
  typeof data === "object" || data === undefined ? "" : ` (${quote(data)})`

/** Longer text is told by its length: a cut could leave half of a secret where no masker finds it. */
const MAX_QUOTED = 80

function quote(data: unknown): string {
  if (typeof data === "object" && data !== null) return describeType(data)
  const text = JSON.stringify(data) ?? "nothing"
  return text.length > MAX_QUOTED ? `a text of ${String(data).length} characters` : text
}

const quoteAll = (values: unknown): string => {
  const all = Array.isArray(values) ? (values as unknown[]) : []
  return all.length > 12 ? `${all.slice(0, 12).map(quote).join(", ")}, …` : all.map(quote).join(", ")
}

const count = (data: unknown): string => (Array.isArray(data) ? String(data.length) : "none")
