// Prints the tests that passed only when they were repeated, then vitest's JSON results as one line:
// `N passed, N failed, N skipped`. A failure outside a test counts too. GitHub shows the former in the job's summary.
// Arguments: the results file, the exit code of the run.

import { appendFileSync, readFileSync } from "node:fs"
import { relative } from "node:path"

const say = (line) => process.stdout.write(`${line}\n`)
const [, , file, exitCode] = process.argv
const text = readFileSync(file, "utf8")
if (text === "") {
  say("The checks before the tests failed; no test was run.")
  say("0 passed, 1 failed, 0 skipped")
} else {
  const results = JSON.parse(text)
  const skipped = results.numPendingTests + results.numTodoTests
  const brokenFiles = results.testResults.filter(
    (tested) =>
      tested.status === "failed" && !tested.assertionResults.some((test) => test.status === "failed"),
  )
  for (const broken of brokenFiles) say(`${broken.name} failed outside of a test`)
  const flaky = results.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages }) => status === "passed" && failureMessages.length > 0)
      .map(({ fullName, failureMessages: [message] }) => ({
        file: relative(process.cwd(), name),
        test: fullName,
        reason: message.split("\n", 1)[0],
      })),
  )
  for (const { file, test, reason } of flaky) say(`flaky: ${file}: ${test}: ${reason}`)
  const summary = process.env.GITHUB_STEP_SUMMARY
  if (summary !== undefined && flaky.length > 0) appendFileSync(summary, flakyTable(flaky))
  const failed = results.numFailedTests + brokenFiles.length
  // An unhandled error belongs to no file, and vitest still reports success. The exit code doesn't.
  const unaccounted = failed === 0 && exitCode !== "0" ? 1 : 0
  if (unaccounted === 1) say("The run failed outside of the test files.")
  say(`${results.numPassedTests} passed, ${failed + unaccounted} failed, ${skipped} skipped`)
}

function flakyTable(flaky) {
  // Backticks and vertical bars would end a cell.
  const cell = (text) => `\`${text.replaceAll(/[`|\r\n]/g, "'")}\``
  const rows = flaky.map(({ file, test, reason }) => `| ${cell(file)} | ${cell(test)} | ${cell(reason)} |`)
  const heading = "### Flaky tests\n\nThese tests failed, and passed when they were repeated."
  return `${heading}\n\n| File | Test | First failure |\n| --- | --- | --- |\n${rows.join("\n")}\n`
}
