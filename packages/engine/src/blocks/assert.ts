// Runs an assert block: evaluates and reports every assertion, or calls a script.

import type { AssertBlock, Assertion, AssertionView } from "@callsheet/format"
import { checkAssertion, warnOfSource, type CheckResult } from "../run/check.ts"
import type { BlockRunner, Running } from "../run/context.ts"
import { exchangesAt, readsOf } from "../run/explain-failure.ts"
import { failed, passed, type BlockOutcome } from "../run/failure.ts"
import { messages } from "../messages.ts"
import { Undecided, unknownSays } from "../run/undecided.ts"
import { placeOf } from "../run/warn.ts"
import { viewOfScript } from "./script-checks.ts"
import { callScript, verdictOf, type ScriptResult } from "./script.ts"

export const runAssert: BlockRunner<AssertBlock> = (running) => {
  const { block } = running
  if (block.assertions === undefined)
    return callScript(running, "assert", block.script).then((result) => reportScript(running, result))
  return runAssertions(running, block.assertions)
}

function runAssertions(running: Running<AssertBlock>, assertions: readonly Assertion[]): BlockOutcome {
  const { frame, number, reader } = running
  const { context } = frame
  const { unknown, withheld } = reader.scope.run
  const checks = assertions.map((assertion) => checkAssertion(assertion, reader))
  const isUndecided = (check: CheckResult): boolean =>
    unknown?.isStrict === false && check.made && check.isUndecided === true
  context.emit({
    type: "assertions.checked",
    run: context.run,
    block: number,
    assertions: checks.map((check, at) => viewOf(check, at, running)),
  })
  for (const [at, check] of checks.entries())
    if (check.made && check.passed && check.unresolved !== undefined)
      warnOfSource(running, ["assertions", at], check)
  const isPassed = (check: CheckResult): boolean => (check.made && check.passed) || isUndecided(check)
  const broken = new Set(checks.flatMap((check, at) => (isPassed(check) ? [] : at)))
  if (broken.size === 0) {
    const count = checks.filter(isUndecided).length
    if (count > 0) throw new Undecided("part", unknownSays.assertions(count).message)
    return passed
  }
  const [first = 0] = broken
  const unmade = checks.findIndex((check) => !check.made)
  const reads = readsOf(running, ([list, at]) => list === "assertions" && broken.has(Number(at)))
  const exchanges = exchangesAt(reads.paths, reader.scope)
  const refusal = checks[unmade]
  if (refusal?.made === false) return failed(refusal.finding, { exchanges, at: ["assertions", unmade] })
  const hidden =
    withheld === undefined ? 0 : checks.filter((check) => check.made && check.isUndecided === true).length
  const finding =
    hidden === broken.size
      ? messages["secret-undecidable"].assertions(hidden, checks.length)
      : messages["assertion-failed"].failed(broken.size, checks.length)
  return failed(finding, { exchanges, at: ["assertions", first] })
}

function reportScript(running: Running<AssertBlock>, result: ScriptResult): BlockOutcome {
  const { checks, outcome, paths, readsUnknown } = result
  const { context, scope } = running.frame
  if (checks.length > 0)
    context.emit({
      type: "assertions.checked",
      run: context.run,
      block: running.number,
      assertions: checks.map((check) => viewOfScript(check, running, readsUnknown)),
    })
  const broken = checks.filter(({ passed }) => !passed).length
  if (outcome.status !== "passed" || broken === 0 || readsUnknown) return verdictOf(result)
  const exchanges = exchangesAt(paths, scope)
  return failed(messages["assertion-failed"].failed(broken, checks.length), { exchanges, at: ["script"] })
}

function viewOf(check: CheckResult, at: number, running: Running): AssertionView {
  if (!check.made) {
    const { source, operator, finding } = check
    const place = placeOf(running, ["assertions", at])
    return { source, operator, status: "failed", message: finding.message, ...place }
  }
  if (!check.passed) return { ...check.view, ...placeOf(running, ["assertions", at]) }
  // The values of passed assertions are needed only by a listener that reads exchanges.
  if (running.frame.context.plan.settings.exchanges) return check.view
  const { source, operator, status, message } = check.view
  return message === undefined ? { source, operator, status } : { source, operator, status, message }
}
