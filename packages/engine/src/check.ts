// Evaluates assertions of `assertions`, `if` and `until`.

import {
  checkOperator,
  isComparison,
  operators,
  type Assertion,
  type AssertionView,
  type JsonPointer,
  type JsonValue,
  type Resolution,
} from "@callsheet/format"
import { describeBrokenBody, lookUp } from "@callsheet/language"
import { expandJson, expandText, type Reader, type Unresolved } from "./expand.ts"
import { messages } from "./messages.ts"
import { isUndecided } from "./unknown.ts"
import type { Running } from "./context.ts"
import { warnUnresolved } from "./warn.ts"

export type Checked =
  | {
      readonly made: true
      readonly passed: boolean
      /** True if a replay can't decide whether the assertion holds. `passed` is then false. */
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

export function checkAssertion(assertion: Assertion, reader: Reader): Checked {
  const source = expandText(assertion.source, reader)
  if (!source.ok) return unmade(assertion, source, assertion.source)
  const expected = isComparison(assertion)
    ? expandJson(assertion.value, reader)
    : ({ ok: true, value: null } as const)
  if (!expected.ok) return unmade(assertion, expected, source.value)
  const found = lookUp(reader.scope, source.value)
  const { unknown } = reader.scope.run
  if (unknown !== undefined && isUndecided(assertion, found, { expected: expected.value, unknown }))
    return undecided(assertion, source.value, expected.value, found)
  const resolution: Resolution = found.found ? { found: true, value: found.value } : { found: false, at: 0 }
  const { passed, message } = checkOperator(assertion.operator, resolution, expected.value)
  const view: Writable<AssertionView> = {
    source: source.value,
    operator: assertion.operator,
    status: passed ? "passed" : "failed",
  }
  if (isComparison(assertion)) view.expected = expected.value
  if (found.found) view.actual = found.value
  else view.message = messages["assertion-failed"].unresolved(found.reason).message
  if (found.found && message !== undefined) view.message = message
  const broken = found.found && !passed ? describeBrokenBody(found.from) : undefined
  if (broken !== undefined) view.message = messages["assertion-failed"].brokenBody(broken).message
  const unresolved = found.found ? undefined : found.reason
  return { made: true, passed, view, unresolved }
}

function undecided(
  assertion: Assertion,
  source: string,
  expected: JsonValue,
  found: ReturnType<typeof lookUp>,
): Checked {
  const view: Writable<AssertionView> = {
    source,
    operator: assertion.operator,
    status: "undecidable",
    message: messages["replay-undecidable"].assertion().message,
  }
  if (isComparison(assertion)) view.expected = expected
  if (found.found) view.actual = found.value
  return { made: true, passed: false, isUndecided: true, view, unresolved: undefined }
}

/** Warns if the source of a check doesn't resolve, unless the operator tests exactly that. */
export function warnOfSource(running: Running, pointer: JsonPointer, check: Checked): void {
  if (check.made && check.unresolved !== undefined && operators[check.view.operator].takesValue)
    warnUnresolved(running, [...pointer, "source"], check.unresolved)
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** Formats an assertion in one line for messages: `status equals 200`. */
export function describeAssertion(view: AssertionView, show: (value: JsonValue) => string): string {
  const { phrase, takesValue } = operators[view.operator]
  return takesValue ? `${view.source} ${phrase} ${show(view.expected ?? null)}` : `${view.source} ${phrase}`
}
