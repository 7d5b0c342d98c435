// Every failure names its trace, in each reporter, and links to it if `callsheet.json` has `traceUrl`.

import { expect, it } from "vitest"
import { readText } from "../harness/callsheet.ts"
import { assert, echo, request } from "../run/shop-project.ts"
import { blocksOf, firstRun, live, openTraced } from "./traced-project.ts"

const failing = [echo("one"), assert("sure", ["one.response.status", "equals", 201])]
const traceUrl = "https://tracing.test/trace/{traceId}?from=callsheet"
const words = ["run", "w", "--env=local", "--trace", "--seed=1"]

it("shows the trace of a failure in every reporter, as a link", async () => {
  const { run, folder } = await openTraced({ blocks: failing, settings: { traceUrl } })
  const { report } = await run([...words, "--json"])
  const { traceId = "", traceUrl: url } = firstRun(report)
  expect(url).toBe(`https://tracing.test/trace/${traceId}?from=callsheet`)
  const files = ["junit", "html", "ctrf", "har", "github"].map((name) => `--reporter=${name}=${name}.txt`)
  const { stdout, exitCode } = await run([...words, ...files, "--reporter=allure=allure"])
  expect(exitCode).toBe(1)
  expect(stdout).toContain(`trace: ${traceId} ${url}`)
  for (const name of ["junit", "html", "ctrf", "github"]) {
    const text = (await readText(folder, `${name}.txt`)) ?? ""
    expect(text, name).toContain(traceId)
    expect(text.replaceAll("&#x3D;", "="), name).toContain(url)
  }
  expect(await readText(folder, "junit.txt")).toContain(`<property name="traceId" value="${traceId}"/>`)
  expect(await readText(folder, "html.txt")).toContain(`<a href="${url}"`)
})

it("shows only the id without traceUrl, and nothing without --trace", async () => {
  const { run } = await openTraced({ blocks: failing })
  const { stdout } = await run(words)
  expect(stdout).toMatch(/^ *trace: [0-9a-f]{32}$/m)
  const untraced = await run(["run", "w", "--env=local"])
  expect(untraced.stdout).not.toContain("trace")
})

it("links a failure to the trace that its request names itself", async () => {
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
  const header = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
  const { run } = await openTraced({
    blocks: [request("own", { operation: "echo", overrides: { params: { header } } })],
    routes: { "GET /echo": (_, response) => void response.destroy() },
    settings: { traceUrl },
  })
  const { stdout } = await run(words)
  expect(stdout).toContain(`trace: ${traceId} https://tracing.test/trace/${traceId}?from=callsheet`)
})

it("shows no trace for a failed request to production", async () => {
  const { run } = await openTraced({
    blocks: [live("one")],
    routes: { "GET /live/echo": (_, response) => void response.destroy() },
  })
  const { stdout, exitCode } = await run(["run", "w", "--env=live=live", "--yes", "--trace"])
  expect(exitCode).toBe(1)
  expect(stdout).not.toContain("trace:")
})

it.each([
  ["no placeholder", "https://tracing.test/"],
  ["another scheme", "javascript:alert('{traceId}')"],
  ["a password", "https://me:s3cr3t@tracing.test/{traceId}"],
])("refuses a traceUrl with %s", async (_, url) => {
  const { run } = await openTraced({ blocks: failing, settings: { traceUrl: url } })
  const { exitCode, stderr } = await run(words)
  expect(exitCode).toBe(2)
  expect(stderr).toMatch(/callsheet\.json:3:\d+: .*must be an http or https URL with \{traceId\}/)
  expect(stderr).not.toContain("s3cr3t")
})

it("reads defaults.trace, which a traced run to production needs as a word", async () => {
  const blocks = [echo("one"), live("two")]
  const { api, run } = await openTraced({ blocks, settings: { defaults: { trace: true } } })
  const given = ["run", "w", "--env=shop=local", "--env=live=live", "--yes", "--json"]
  const { report } = await run(given)
  expect(firstRun(report).traceId).toMatch(/^[0-9a-f]{32}$/)
  expect(api.requests.map(({ headers }) => "traceparent" in headers)).toEqual([true, false])
  const all = await openTraced({ blocks, settings: { defaults: { trace: "production" } } })
  await all.run(given)
  expect(all.api.requests.map(({ headers }) => "traceparent" in headers)).toEqual([true, true])
})

it("keeps the ids in a record, and a replay ignores the header", async () => {
  const { run } = await openTraced({ blocks: failing, settings: { traceUrl } })
  const { report } = await run([...words, "--json", "--record=run.callsheet"])
  const again = await run(["report", "run.callsheet", "--json"])
  expect(firstRun(again.report).traceId).toBe(firstRun(report).traceId)
  expect(blocksOf(firstRun(again.report)).get("one")?.spanId).toBe(
    blocksOf(firstRun(report)).get("one")?.spanId,
  )
  const replayed = await run(["replay", "run.callsheet", "--json", "--strict"])
  const block = blocksOf(firstRun(replayed.report)).get("one")
  expect(block).toMatchObject({ status: "passed" })
  expect(block).not.toHaveProperty("requestDifference")
  expect(firstRun(replayed.report)).not.toHaveProperty("traceId")
  const { exitCode } = await run(["diff", "run.callsheet", "run.callsheet"])
  expect(exitCode).toBe(0)
})
