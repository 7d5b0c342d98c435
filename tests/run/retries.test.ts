// Checks --retries, --repeat, --bail, --fail-on-flaky and --grep: which workflows run, and how reports distinguish the
// runs.

import { afterEach, describe, expect, it } from "vitest"
import { startApi, type Answer, type ApiServer } from "../harness/api-server.ts"
import { callsheet, type Files } from "../harness/callsheet.ts"
import { assert, echo, request, shopFiles } from "./shop-project.ts"

let api: ApiServer | undefined
afterEach(async () => {
  await api?.close()
  api = undefined
})

/** Starts a server whose `/echo` returns these statuses in order, and then always the last one. */
async function startFlaky(...statuses: readonly number[]): Promise<ApiServer> {
  let at = 0
  const answer = (): Answer => {
    const status = statuses[Math.min(at++, statuses.length - 1)] ?? 200
    return { status, body: { status }, headers: { "set-cookie": `visit=${at}` } }
  }
  api = await startApi({ "/echo": answer, "*": { status: 404 } })
  return api
}

const check = assert("check", ["get.response.status", "equals", 200])
const blocks = [echo("get"), check]
const flakyFiles = (url: string, list: readonly unknown[] = blocks): Files => shopFiles(url, list)

const run = async (words: readonly string[], files: Files) => {
  const result = await callsheet(["run", ...words, "--json"], { files })
  if (result.report === undefined) throw new Error(result.stderr)
  return { ...result, report: result.report }
}

describe("--retries", () => {
  it("repeats a failed run until it passes, which is then flaky", async () => {
    const { url } = await startFlaky(503, 502, 200)
    const { exitCode, report } = await run(["w", "--retries", "2"], flakyFiles(url))
    expect(exitCode).toBe(0)
    expect(report.status).toBe("passed")
    expect(report.runs.map(({ attempt, status, flaky }) => [attempt, status, flaky])).toEqual([
      [1, "failed", undefined],
      [2, "failed", undefined],
      [3, "passed", true],
    ])
    const differs = {
      block: "get",
      first: { response: { status: 502, body: { status: 502 } } },
      second: { response: { status: 200, body: { status: 200 } } },
    }
    expect(report.runs[2]?.differs).toMatchObject(differs)
  })

  it("fails if no attempt passes, and gives each attempt its own cookies", async () => {
    const { url, requests } = await startFlaky(500)
    const { exitCode, report } = await run(["w", "--retries", "1"], flakyFiles(url))
    expect(exitCode).toBe(1)
    expect(report.runs.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, "failed"],
      [2, "failed"],
    ])
    expect(requests.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined])
  })

  it("does not repeat a run that passes, or one that could not start", async () => {
    const { url, requests } = await startFlaky(200)
    const passed = await run(["w", "--retries", "5"], flakyFiles(url))
    expect(passed.report.runs.map(({ attempt, flaky }) => [attempt, flaky])).toEqual([[1, undefined]])
    const broken = { ...flakyFiles(url), "apis/workflow/w.json": { version: 1, blocks: [{ id: "a" }] } }
    expect((await run(["w", "--retries", "5"], broken)).report.runs).toHaveLength(1)
    expect(requests).toHaveLength(1)
  })

  it("does not repeat requests that are not idempotent, and says so", async () => {
    const { url, requests } = await startFlaky(500)
    const post = [request("get", { operation: "postEcho" }), check]
    const { exitCode, report } = await run(["w", "--retries", "2"], flakyFiles(url, post))
    expect(exitCode).toBe(1)
    expect(requests).toHaveLength(1)
    expect(report.warnings).toContainEqual(
      expect.objectContaining({
        code: "retry-unsafe",
        message: expect.stringContaining(
          `"w" was not retried: it sends POST requests that aren't safe to repeat`,
        ),
      }),
    )
  })

  it("shows the attempts in the terminal and in JUnit without a failed build", async () => {
    const { url } = await startFlaky(500, 200)
    const pretty = await callsheet(["run", "w", "--retries", "1"], { files: flakyFiles(url) })
    expect(pretty.stdout).toMatch(/✗ w failed, retrying/)
    expect(pretty.stdout).toMatch(/✓ w \(attempt 2\) passed, flaky/)
    await api?.close()
    const again = await startFlaky(500, 200)
    const words = ["run", "w", "--retries", "1", "--reporter", "junit"]
    const junit = await callsheet(words, { files: flakyFiles(again.url) })
    expect(junit.exitCode).toBe(0)
    expect(junit.stdout).toContain('<testsuites name="callsheet" tests="4" failures="0" errors="0"')
    expect(junit.stdout).toContain('<testsuite name="w (attempt 2)"')
    expect(junit.stdout).toContain('<skipped message="failed, then retried: ')
  })

  it("fails a flaky run with --fail-on-flaky", async () => {
    const { url } = await startFlaky(500, 200)
    const result = await run(["w", "--retries", "1", "--fail-on-flaky"], flakyFiles(url))
    expect(result).toMatchObject({ exitCode: 1, report: { status: "failed" } })
    expect(result.stderr).toContain("1 flaky workflow; --fail-on-flaky allows none")
  })

  it.each(["-1", "x", "1.5", "101"])("refuses %s", async (number) => {
    const result = await callsheet(["run", "w", "--retries", number], {
      files: flakyFiles("http://127.0.0.1:1"),
    })
    expect(result.exitCode).toBe(2)
    expect(result.stderr).toContain("--retries must be a whole number from 0 to 100")
  })
})

describe("--repeat", () => {
  it("runs each workflow as often as asked, and counts the failures", async () => {
    const { url } = await startFlaky(200, 500, 200)
    const { exitCode, report } = await run(["w", "--repeat", "3"], flakyFiles(url))
    expect(exitCode).toBe(1)
    expect(report.runs.map(({ repeat, attempt, status }) => [repeat, attempt, status])).toEqual([
      [1, undefined, "passed"],
      [2, undefined, "failed"],
      [3, undefined, "passed"],
    ])
  })
})

describe("--bail and --grep", () => {
  const several = (url: string): Files => {
    const file = { version: 1, blocks }
    const named = ["one-order", "two-order", "three", "zero"].map((name) => [
      `apis/workflow/${name}.json`,
      file,
    ])
    return { ...flakyFiles(url), ...Object.fromEntries(named) }
  }
  const statuses = async (words: readonly string[], files: Files) =>
    (await run(words, files)).report.runs.map(({ workflow, status, reason }) => [workflow, status, reason])

  it("starts no more workflows after the first failure, or after as many as asked", async () => {
    const { url } = await startFlaky(200, 500)
    expect(await statuses(["--all", "--bail"], several(url))).toEqual([
      ["one-order", "passed", undefined],
      ["three", "failed", undefined],
      ["two-order", "skipped", "bail"],
      ["w", "skipped", "bail"],
      ["zero", "skipped", "bail"],
    ])
    const words = ["three", "zero", "w", "--bail=2"]
    expect((await statuses(words, several(url))).map(([, status]) => status)).toEqual([
      "failed",
      "failed",
      "skipped",
    ])
  })

  it("names what was skipped in the terminal and in JUnit", async () => {
    const { url } = await startFlaky(500)
    const words = ["run", "three", "zero", "--bail"]
    const pretty = await callsheet(words, { files: several(url) })
    expect(pretty.stdout).toContain("− zero skipped: --bail ended the run")
    const junit = await callsheet([...words, "--reporter", "junit"], { files: several(url) })
    expect(junit.stdout).toContain('<skipped message="bail: --bail ended the run"/>')
  })

  it("selects workflows by a part of their name, in any case", async () => {
    const { url } = await startFlaky(200)
    expect((await statuses(["--grep", "ORDER"], several(url))).map(([name]) => name)).toEqual([
      "one-order",
      "two-order",
    ])
    const none = await callsheet(["run", "--grep", "nothing"], { files: several(url) })
    expect(none).toMatchObject({ exitCode: 2, stdout: "" })
    expect(none.stderr).toContain('no workflow has a name that contains "nothing"')
    const both = await callsheet(["run", "w", "--grep", "w"], { files: several(url) })
    expect(both.stderr).toContain("--grep can't be used with workflow names")
  })
})
