// Prints the tests that passed only when they were repeated, then vitest's JSON results as one line:
// `N passed, N failed, N skipped`. A failure outside a test counts too.
// Arguments: the results file, the exit code of the run.

import { readFileSync } from "node:fs"
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
  for (const { name, assertionResults } of results.testResults)
    for (const { status, fullName, failureMessages } of assertionResults)
      if (status === "passed" && failureMessages.length > 0)
        say(`flaky: ${relative(process.cwd(), name)}: ${fullName}: ${failureMessages[0].split("\n", 1)[0]}`)
  const failed = results.numFailedTests + brokenFiles.length
  // An unhandled error belongs to no file, and vitest still reports success. The exit code doesn't.
  const unaccounted = failed === 0 && exitCode !== "0" ? 1 : 0
  if (unaccounted === 1) say("The run failed outside of the test files.")
  say(`${results.numPassedTests} passed, ${failed + unaccounted} failed, ${skipped} skipped`)
}
