// Converts chains such as `pm.expect(a).to.not.eql(b)` to checks with the operators of assertions, as far as these mean the
// same.

import { ownOf, type JsonValue } from "@callsheet/format"
import { compareWith, type Check, type ResponsePath } from "./checks.ts"
import type { Chain } from "./chain.ts"
import { isScalar, type KnownValues } from "./known-values.ts"
import { fillers, statusOf, statusRanges, statusWords } from "./vocabulary.ts"

interface Claim {
  readonly subject: ResponsePath
  readonly verb: string
  readonly values: readonly JsonValue[]
  readonly isCall: boolean
  readonly isNegated: boolean
  readonly isDeep: boolean
}

export type Checks = readonly Omit<Check, "is">[]

/** Returns the checks of a chain with a single claim about a place in the response. */
export function nativeChecks({ root, words }: Chain, known: KnownValues): Checks | undefined {
  const source = root.is === "response" ? [] : subjectOf(known, root.value)
  if (source === undefined || !known.hasResponse) return undefined
  const meaningful = words.filter(({ word }) => !fillers.has(word))
  // `to.have.responseTime.below(500)` is about a place, too.
  const isTime = root.is === "response" && meaningful[0]?.word === "responseTime" && meaningful.length > 1
  const subject = isTime ? ["durationMs"] : source
  const rest = isTime ? meaningful.slice(1) : meaningful
  const isNegated = rest.filter(({ word }) => word === "not").length === 1
  const isDeep = rest.some(({ word }) => word === "deep")
  const [claim, ...others] = rest.filter(({ word }) => word !== "not" && word !== "deep")
  if (claim === undefined || others.length > 0) return undefined
  const given = claim.given?.map((argument) => known.of(argument)) ?? []
  const values = given.flatMap((one) => (one?.is === "value" ? [one.value] : []))
  if (values.length !== given.length) return undefined
  const about = { verb: claim.word, values, isCall: claim.given !== undefined, isNegated, isDeep }
  return root.is === "response" && !isTime ? checksOfResponse(about) : checksOfValue({ ...about, subject })
}

function subjectOf(known: KnownValues, node: Parameters<KnownValues["of"]>[0]): ResponsePath | undefined {
  const value = known.of(node)
  return value?.is === "response" ? value.path : undefined
}

function checksOfValue(claim: Claim): Checks | undefined {
  const { subject: source, verb, values, isCall, isNegated, isDeep } = claim
  const [value, more] = values
  if (!isCall) return checksOfProperty(source, verb, isNegated)
  if (verb === "property" && typeof value === "string" && source[0] === "body") {
    const path = [...source, value]
    if (more !== undefined && (isNegated || !isScalar(more))) return undefined
    if (more !== undefined) return [{ source: path, operator: "equals", value: more }]
    return [{ source: path, operator: isNegated ? "notExists" : "exists" }]
  }
  if (value === undefined || values.length !== 1) return undefined
  const operator = verbs.get(verb)
  // `equal` of an object is true only for the same object.
  if (operator === undefined || (strictVerbs.has(verb) && !isDeep && !isScalar(value))) return undefined
  if (isNegated) return operator === "==" ? [{ source, operator: "notEquals", value }] : undefined
  // Strings and lists contain values, objects don't.
  if (operator === "contains") {
    const isText = source[0] === "headers" || source[0] === "body"
    return typeof value === "object" || !isText ? undefined : [{ source, operator, value }]
  }
  const compared = compareWith(source, operator, value)
  return compared && [{ source, ...compared }]
}

const strictVerbs = new Set(["equal", "equals", "eq"])

const verbs: ReadonlyMap<string, string> = new Map([
  ...group("==", "eql eqls equal equals eq"),
  ...group(">", "above gt greaterThan"),
  ...group("<", "below lt lessThan"),
  ...group(">=", "least gte greaterThanOrEqual"),
  ...group("<=", "most lte lessThanOrEqual"),
  ...group("contains", "include includes contain contains"),
])

function group(operator: string, words: string) {
  return words.split(" ").map((word) => [word, operator] as const)
}

function checksOfProperty(source: ResponsePath, verb: string, isNegated: boolean): Checks | undefined {
  if (verb === "true" || verb === "false")
    return isNegated ? undefined : [{ source, operator: "equals", value: verb === "true" }]
  if (verb === "null") return [{ source, operator: isNegated ? "notEquals" : "equals", value: null }]
  if (verb === "undefined") return [{ source, operator: isNegated ? "exists" : "notExists" }]
  return verb === "exist" ? [{ source, operator: isNegated ? "hasNoValue" : "hasValue" }] : undefined
}

function checksOfResponse({ verb, values, isCall, isNegated }: Omit<Claim, "subject">): Checks | undefined {
  const [value, more] = values
  if (!isCall) return statusProperty(verb, isNegated)
  const status = verb === "status" || verb === "statusCode" ? value : undefined
  const code = typeof status === "string" ? statusOf(status) : status
  if (typeof code === "number" && values.length === 1)
    return [{ source: ["status"], operator: isNegated ? "notEquals" : "equals", value: code }]
  if (verb === "header" && typeof value === "string") {
    const source = ["headers", value.toLowerCase()]
    if (more !== undefined) return isNegated ? undefined : [{ source, operator: "equals", value: more }]
    return [{ source, operator: isNegated ? "notExists" : "exists" }]
  }
  if (verb !== "jsonBody" || (isNegated && (value === undefined || more !== undefined))) return undefined
  if (value === undefined) return [{ source: ["body"], operator: "exists" }]
  if (typeof value !== "string") return undefined
  const keys = value === "" ? [""] : value.split(/[.[\]]+/).filter((key) => key !== "")
  const source = ["body", ...keys]
  if (isNegated) return [{ source, operator: "notExists" }]
  return [more === undefined ? { source, operator: "exists" } : { source, operator: "equals", value: more }]
}

function statusProperty(word: string, isNegated: boolean): Checks | undefined {
  const source = ["status"]
  const code = ownOf(statusWords, word)
  if (code !== undefined) return [{ source, operator: isNegated ? "notEquals" : "equals", value: code }]
  const range = ownOf(statusRanges, word)
  if (range === undefined) return undefined
  const [from, below] = range
  // A range to its end is one comparison, so only those at an end can be reversed.
  if (isNegated)
    return word === "error" || word === "serverError"
      ? [{ source, operator: "lessThan", value: from }]
      : undefined
  return [
    { source, operator: "greaterThan", value: from - 1 },
    { source, operator: "lessThan", value: below },
  ]
}
