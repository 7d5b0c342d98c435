// Assertions: one row of `assertions`, an `if`, an `until`. All three are checked here.

import {
  checkOperator,
  operators,
  parsePathOnce,
  type Assertion,
  type AssertionView,
  type Exchange,
  type JsonValue,
  type Resolution,
} from "@callsheet/format"
import { describeUnresolved, expandJson, expandText, type Reader } from "./expand.ts"
import { findResult, lookUp } from "./scope.ts"

export type Checked =
  | {
      readonly made: true
      readonly passed: boolean
      /** Unmasked. */
      readonly view: AssertionView
      /** Why the source did not resolve. */
      readonly unresolved?: string
      readonly exchange?: Exchange
    }
  /** A token did not resolve. */
  | { readonly made: false; readonly message: string; readonly source: string }

/** Evaluates one assertion as the block sees it. */
export function checkAssertion(assertion: Assertion, reader: Reader): Checked {
  const source = expandText(assertion.source, reader)
  if (!source.ok)
    return { made: false, message: describeUnresolved(source.token, source.reason), source: assertion.source }
  const { takesValue } = operators[assertion.operator]
  const expected = takesValue ? expandJson(assertion.value!, reader) : ({ ok: true, value: null } as const)
  if (!expected.ok)
    return { made: false, message: describeUnresolved(expected.token, expected.reason), source: source.value }
  const found = lookUp(reader.scope, source.value)
  const resolution: Resolution = found.found ? { found: true, value: found.value } : { found: false, at: 0 }
  const { passed, message } = checkOperator(assertion.operator, resolution, expected.value)
  const unresolved = found.found ? undefined : found.reason
  return {
    made: true,
    passed,
    view: {
      source: source.value,
      operator: assertion.operator,
      ...(takesValue ? { expected: expected.value } : {}),
      ...(found.found ? { actual: found.value } : {}),
      status: passed ? "passed" : "failed",
      ...(unresolved !== undefined
        ? { message: `the source does not resolve: ${unresolved}` }
        : message === undefined
          ? {}
          : { message }),
    },
    ...(unresolved === undefined ? {} : { unresolved }),
    ...exchangeOf(source.value, reader),
  }
}

/** The exchange of the request that a path looks at. */
function exchangeOf(path: string, reader: Reader): { exchange?: Exchange } {
  const parsed = parsePathOnce(path)
  const exchange = parsed.ok ? findResult(reader.scope, parsed.segments[0]!)?.exchange : undefined
  return exchange === undefined ? {} : { exchange: exchange() }
}

/** `status equals 200`: an assertion in one line, for messages. */
export function describeAssertion(view: AssertionView, textOf: (value: JsonValue) => string): string {
  const { phrase, takesValue } = operators[view.operator]
  return takesValue ? `${view.source} ${phrase} ${textOf(view.expected ?? null)}` : `${view.source} ${phrase}`
}
