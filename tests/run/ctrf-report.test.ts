// `--reporter ctrf`: valid by the schema that CTRF publishes, with a place for everything that a suite does.

import { validateStrict, type CTRFReport } from "ctrf"
import { expect, it } from "vitest"
import { hostile, openNightly } from "./nightly-suite.ts"

function read(text: string): CTRFReport {
  const report = JSON.parse(text) as CTRFReport
  validateStrict(report)
  return report
}

it("has a test for each run of a suite, with attempts, rows, roles and steps", async () => {
  const { api, run } = await openNightly()
  const before = Date.now()
  const { exitCode, stdout } = await run("--reporter=ctrf")
  expect(exitCode).toBe(1)
  const { results } = read(stdout)
  const { summary, tests, environment, extra } = results
  expect(results.tool.name).toBe("callsheet")
  expect(environment).toEqual({ testEnvironment: "local" })
  expect(summary).toMatchObject({
    tests: 6,
    passed: 4,
    failed: 1,
    skipped: 1,
    pending: 0,
    other: 0,
    flaky: 1,
  })
  expect(summary.start).toBeGreaterThanOrEqual(before)
  expect(summary.stop).toBeLessThanOrEqual(Date.now())
  expect(tests.map(({ testId, status, labels }) => [testId, status, labels])).toEqual([
    ["nightly › sign-in (before)", "passed", { role: "before" }],
    ["nightly › flaky", "passed", { role: "main" }],
    ["nightly › buy (row 1)", "passed", { role: "main", row: 1 }],
    ["nightly › buy (row 2)", "failed", { role: "main", row: 2 }],
    ["nightly › late", "skipped", { role: "main" }],
    ["nightly › clean-up (cleanup)", "passed", { role: "finally" }],
  ])
  expect(extra).toMatchObject({
    leftovers: [{ api: "shop", url: `${api.url}/orders/7` }],
  })
  const [, flaky, , failed, late] = tests
  expect(flaky).toMatchObject({
    suite: ["nightly"],
    retries: 1,
    flaky: true,
    retryAttempts: [{ attempt: 1, status: "failed", message: expect.stringContaining("check: ") }],
  })
  expect(failed).toMatchObject({
    name: "buy (row 2)",
    message: expect.stringContaining("check: "),
    trace: expect.stringContaining("sku does not equal"),
    filePath: "apis/workflow/buy.json",
    line: expect.any(Number),
    parameters: { sku: "BAD" },
  })
  expect(failed?.steps).toMatchObject([
    { name: "order", status: "passed", extra: { request: `POST ${api.url}/orders`, response: 201 } },
    { name: "twice › [0] › look", status: "passed" },
    { name: "twice › [1] › look", status: "passed" },
    { name: "check", status: "failed" },
    { name: "check-order", status: "passed" },
  ])
  expect(late?.message).toBe("--bail ended the run")
})

it("says what failed a session whose runs passed, and lists warnings", async () => {
  const { call } = await openNightly({ "GET /orders": { status: 404, body: {} } })
  const { exitCode, stdout } = await call("run", "sign-in", "--env=local", "--strict", "--reporter=ctrf")
  expect(exitCode).toBe(1)
  const { results } = read(stdout)
  expect(results.extra).toEqual({ verdict: "failed" })
  expect(results.tests).toMatchObject([
    { name: "sign-in", status: "passed", stderr: [expect.stringContaining("status-unread")] },
  ])
})

it("reports a run that could not start as failed", async () => {
  const { call } = await openNightly()
  const { exitCode, stdout } = await call("run", "sign-in", "--env=nowhere", "--reporter=ctrf")
  expect(exitCode).toBe(2)
  expect(read(stdout).results.tests).toMatchObject([
    { status: "failed", rawStatus: "error", message: expect.stringContaining("nowhere"), steps: [] },
  ])
})

it("is valid without a single run", async () => {
  const { call } = await openNightly()
  const { exitCode, stdout } = await call("run", "sign-in", "--shard=2/2", "--reporter=ctrf")
  expect(exitCode).toBe(0)
  expect(read(stdout).results).toMatchObject({ tests: [], summary: { tests: 0, start: 0, stop: 0 } })
})

it("contains no command and no control character, whatever a server sends", async () => {
  const { run } = await openNightly({ "POST /orders": { status: 500, body: hostile } })
  const { stdout } = await run("--reporter=ctrf")
  read(stdout)
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]|^\s*::|##[a-z]*\[/m)
})
