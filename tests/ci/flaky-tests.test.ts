// What CI says about tests that passed only when they were repeated.

import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, expect, it } from "vitest"
import { createFolder, writeFiles } from "../harness/callsheet.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
// cspell:ignore summarise
const script = join(root, ".ci/summarise.mjs")
let folder: string

beforeEach(async () => {
  folder = await createFolder({ summary: "" })
})
afterEach(() => rm(folder, { recursive: true }))

async function summarize(failureMessages: readonly string[]) {
  const test = { status: "passed", fullName: "the page | opens", failureMessages }
  await writeFiles(folder, {
    "results.json": {
      numPassedTests: 1,
      numFailedTests: 0,
      numPendingTests: 0,
      numTodoTests: 0,
      testResults: [{ name: join(root, "tests/x.test.ts"), status: "passed", assertionResults: [test] }],
    },
  })
  const printed = execFileSync(process.execPath, [script, join(folder, "results.json"), "0"], {
    cwd: root,
    env: { GITHUB_STEP_SUMMARY: join(folder, "summary") },
    encoding: "utf8",
  })
  return { printed, summary: readFileSync(join(folder, "summary"), "utf8") }
}

it("lists them with the first failure, in the log and in the job's summary", async () => {
  const { printed, summary } = await summarize(["Error: no `button`\n    at line 3"])
  const file = join("tests", "x.test.ts")
  expect(printed).toBe(
    `flaky: ${file}: the page | opens: Error: no \`button\`\n1 passed, 0 failed, 0 skipped\n`,
  )
  expect(summary).toContain(`| \`${file}\` | \`the page ' opens\` | \`Error: no 'button'\` |`)
})

it("writes no summary if there are none", async () => {
  const { printed, summary } = await summarize([])
  expect([printed, summary]).toEqual(["1 passed, 0 failed, 0 skipped\n", ""])
})
