// Runs an assert block: evaluates and reports every assertion, or calls a script.

import type { AssertBlock, Assertion, AssertionView, Exchange } from "@callsheet/format"
import { checkAssertion, warnOfSource, type Checked } from "../check.ts"
import type { BlockRunner, Running } from "../context.ts"
import { failed, passed, type BlockOutcome } from "../failure.ts"
import { messages } from "../messages.ts"
import { callScript } from "./script.ts"

export const runAssert: BlockRunner<AssertBlock> = (running) => {
  const { block } = running
  if (block.assertions === undefined)
    return callScript(running, "assert", block.script).then(({ outcome }) => outcome)
  return runAssertions(running, block.assertions)
}

function runAssertions(running: Running<AssertBlock>, assertions: readonly Assertion[]): BlockOutcome {
  const { frame, number, reader } = running
  const { context } = frame
  const checks = assertions.map((assertion) => checkAssertion(assertion, reader))
  context.emit({
    type: "assertions.checked",
    run: context.run,
    block: number,
    assertions: checks.map((check) => viewOf(check, running)),
  })
  for (const [at, check] of checks.entries())
    if (check.made && check.passed && check.unresolved !== undefined)
      warnOfSource(running, ["assertions", at], check)
  if (checks.every((check) => check.made && check.passed)) return passed
  const broken = checks.filter((check) => !check.made || !check.passed)
  const unmade = broken.find((check) => !check.made)
  const exchanges = new Set(
    broken.flatMap((check) => (check.made && check.exchange !== undefined ? [check.exchange()] : [])),
  )
  const finding =
    unmade !== undefined && !unmade.made
      ? unmade.finding
      : messages["assertion-failed"].failed(broken.length, checks.length)
  return failed(finding, byBlock(exchanges))
}

// If several assertions read the same response, show its exchange only once.
const byBlock = (exchanges: Iterable<Exchange>): readonly Exchange[] => [
  ...new Map([...exchanges].map((exchange) => [exchange.block, exchange])).values(),
]

function viewOf(check: Checked, { frame }: Running): AssertionView {
  if (!check.made) {
    const { source, operator, finding } = check
    return { source, operator, status: "failed", message: finding.message }
  }
  // Only a listener that reads exchanges needs the values of passed assertions.
  if (frame.context.plan.settings.exchanges || !check.passed) return check.view
  const { source, operator, status, message } = check.view
  return message === undefined ? { source, operator, status } : { source, operator, status, message }
}
