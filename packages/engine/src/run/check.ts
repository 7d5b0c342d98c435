// Evaluates assertions of `assertions`, `if` and `until`.

import {
  checkOperator,
  isComparison,
  wordsOf,
  resolveSegments,
  type Assertion,
  type AssertionView,
  type Headers,
  type JsonPointer,
  type Resolution,
  type Writable,
} from "@callsheet/format"
import { describeBrokenBody, type Lookup } from "@callsheet/language"
import { expandJson, expandPath, type Reader, type Unresolved } from "./expand.ts"
import { messages } from "../messages.ts"
import { describeRateLimit } from "./rate-limit.ts"
import { isUndecided, Undecided, unknownSays } from "./undecided.ts"
import type { Running } from "./context.ts"
import { warnUnresolved } from "./warn.ts"

export type CheckResult =
  | {
      readonly made: true
      readonly passed: boolean
      /** True if the run can't decide whether the assertion holds. `passed` is then false. */
      readonly isUndecided?: boolean
      readonly view: AssertionView
      /** The reason why the source did not resolve. */
      readonly unresolved: string | undefined
    }
  | Unmade

interface Unmade extends Pick<Unresolved, "finding"> {
  readonly made: false
  readonly source: string
  readonly operator: Assertion["operator"]
}

const unmade = ({ operator }: Assertion, { finding }: Unresolved, source: string): Unmade => ({
  made: false,
  finding,
  source,
  operator,
})

/** Evaluates an assertion. Throws if the run can't decide it and `course`, how the run continues, depends on it. */
export function checkAssertion(assertion: Assertion, reader: Reader, course?: string): CheckResult {
  const read = expandPath(assertion.source, reader)
  if (!read.ok) return unmade(assertion, read, assertion.source)
  const { path, found } = read
  const expected = isComparison(assertion)
    ? expandJson(assertion.value, reader)
    : ({ ok: true, value: null, isSecret: false } as const)
  if (!expected.ok) return unmade(assertion, expected, path)
  const { run } = reader.scope
  if (isUndecided(assertion, found, { expected, run })) {
    if (course !== undefined) throw new Undecided("course", course)
    if (run.unknown === undefined) return undecided(withheldView({ ...assertion, source: path }))
    const view: Writable<AssertionView> = {
      source: path,
      operator: assertion.operator,
      status: run.unknown.isStrict ? "failed" : "undecidable",
      message: unknownSays.assertion().message,
    }
    if (isComparison(assertion)) view.expected = expected.value
    if (found.found) view.actual = found.value
    return undecided(view)
  }
  const resolution: Resolution = found.found ? { found: true, value: found.value } : { found: false, at: 0 }
  const { passed, message } = checkOperator(assertion.operator, resolution, expected.value)
  const view: Writable<AssertionView> = {
    source: path,
    operator: assertion.operator,
    status: passed ? "passed" : "failed",
  }
  if (isComparison(assertion)) view.expected = expected.value
  if (found.found) view.actual = found.value
  else view.message = messages["assertion-failed"].unresolved(found.reason).message
  if (found.found && message !== undefined) view.message = message
  const limited = found.found && !passed ? rateLimitAt(path, found) : undefined
  if (limited !== undefined) view.message = messages["assertion-failed"].limited(limited).message
  const broken = found.found && !passed ? describeBrokenBody(found.from) : undefined
  if (broken !== undefined) view.message = messages["assertion-failed"].brokenBody(broken).message
  const unresolved = found.found ? undefined : found.reason
  return { made: true, passed, view, unresolved }
}

/** Explains a failed check of a status if the server limits the rate of requests. */
function rateLimitAt(source: string, { value, from }: Extract<Lookup, { found: true }>) {
  if (value !== 429 || !source.endsWith("response.status")) return undefined
  const headers = from && resolveSegments(from.value, ["response", "headers"])
  return describeRateLimit(429, headers?.found === true ? (headers.value as Headers) : undefined)
}

const undecided = (view: AssertionView): CheckResult => ({
  made: true,
  passed: false,
  isUndecided: true,
  view,
  unresolved: undefined,
})

/** Shows neither side of an assertion that a secret would decide: a value that a script computed from it isn't masked. */
export const withheldView = ({
  source,
  operator,
}: Pick<AssertionView, "source" | "operator">): AssertionView => ({
  source,
  operator,
  status: "undecidable",
  message: messages["secret-undecidable"].assertion().message,
})

/** Warns if the source of a check doesn't resolve, unless the operator tests exactly that. */
export function warnOfSource(running: Running, pointer: JsonPointer, check: CheckResult): void {
  if (check.made && check.unresolved !== undefined && wordsOf(check.view.operator).takesValue)
    warnUnresolved(running, [...pointer, "source"], check.unresolved)
}

/** Formats an assertion in one line for messages: `status equals 200`. */
export function describeAssertion({ source, operator }: AssertionView, expected: string): string {
  const { phrase, takesValue } = wordsOf(operator)
  return takesValue ? `${source} ${phrase} ${expected}` : `${source} ${phrase}`
}
