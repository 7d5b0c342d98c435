// `run --trace`: which requests carry `traceparent`, and with which ids.

import { expect, it } from "vitest"
import { assert, echo, request } from "../run/shop-project.ts"
import { oauthProject, startProvider } from "../auth/oauth-project.ts"
import { callsheet } from "../harness/callsheet.ts"
import { blocksOf, firstRun, live, openTraced, parentOf, startServer } from "./traced-project.ts"

const traced = ["run", "w", "--env=local", "--json", "--trace"]
const parent = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" }

it("sends no trace, and reports none, unless asked", async () => {
  const { api, run } = await openTraced({
    blocks: [echo("one")],
    settings: { traceUrl: "https://t.test/{traceId}" },
  })
  const { stdout } = await run(["run", "w", "--env=local", "--json"], {
    env: { TRACEPARENT: `00-${parent.traceId}-${parent.spanId}-01`, TRACESTATE: "vendor=1" },
  })
  expect(api.requests[0]?.headers).not.toHaveProperty("traceparent")
  expect(api.requests[0]?.headers).not.toHaveProperty("tracestate")
  expect(stdout).not.toMatch(/trace|span/i)
})

it("sends the id of a workflow's trace and of each block's span, and reports them", async () => {
  const { api, run } = await openTraced({
    blocks: [
      echo("one"),
      {
        id: "both",
        type: "group",
        blocks: [echo("two"), assert("sure", ["one.response.status", "equals", 200])],
      },
    ],
  })
  const { report, exitCode } = await run(traced)
  expect(exitCode).toBe(0)
  const [one, two] = api.requests.map(parentOf)
  const own = firstRun(report)
  const blocks = blocksOf(own)
  expect(own.traceId).toBe(one?.traceId)
  expect(two?.traceId).toBe(one?.traceId)
  expect(one?.flags).toBe("01")
  expect(blocks.get("one")?.spanId).toBe(one?.spanId)
  expect(blocks.get("two")?.spanId).toBe(two?.spanId)
  const ids = [...blocks.values()].map(({ spanId }) => spanId)
  expect(new Set(ids).size).toBe(4)
  for (const id of ids) expect(id).toMatch(/^(?!0+$)[0-9a-f]{16}$/)
})

it("starts a trace per workflow, with other ids each time", async () => {
  const { api, run } = await openTraced({
    blocks: [echo("one")],
    files: () => ({ "apis/workflow/v.json": { version: 1, blocks: [echo("one")] } }),
  })
  const all = ["run", "v", "w", "--env=local", "--json", "--trace"]
  await run(all)
  await run(all)
  const ids = api.requests.map((one) => parentOf(one).traceId)
  expect(ids).toHaveLength(4)
  expect(new Set(ids).size).toBe(4)
})

it("derives ids from --seed, also in loops and for attempts", async () => {
  let failures = 0
  const loop = {
    id: "poll",
    type: "loop",
    mode: "times",
    count: 3,
    iteratorVar: "i",
    blocks: [echo("get-{{i}}")],
  }
  const { api, run } = await openTraced({
    blocks: [loop, echo("last"), assert("sure", ["last.response.body.ok", "equals", true])],
    routes: { "GET /echo": () => ({ body: { ok: failures++ % 8 > 3 } }) },
  })
  const words = [...traced, "--seed=7", "--retries=1"]
  const first = await run(words)
  const sent = api.requests.map((one) => one.headers["traceparent"])
  const second = await run(words)
  const again = api.requests.slice(sent.length).map((one) => one.headers["traceparent"])
  expect(first.report?.runs.map(({ status }) => status)).toEqual(["failed", "passed"])
  expect(new Set(again)).toEqual(new Set(sent))
  expect(new Set(sent).size).toBe(8)
  expect(new Set(first.report?.runs.map(({ traceId }) => traceId)).size).toBe(1)
  expect(second.report?.runs.map(({ traceId }) => traceId)).toEqual(
    first.report?.runs.map(({ traceId }) => traceId),
  )
  await run([...traced, "--seed=8"])
  expect(sent).not.toContain(api.requests.at(-1)?.headers["traceparent"])
})

it("continues the trace of TRACEPARENT in every workflow, and passes on its flag and TRACESTATE", async () => {
  const { api, run } = await openTraced({
    blocks: [echo("one")],
    files: () => ({ "apis/workflow/v.json": { version: 1, blocks: [echo("one")] } }),
  })
  const { report } = await run(["run", "v", "w", "--env=local", "--json", "--trace"], {
    env: { TRACEPARENT: `00-${parent.traceId}-${parent.spanId}-00`, TRACESTATE: "vendor=a1, other=b" },
  })
  const parents = api.requests.map(parentOf)
  expect(parents.map(({ traceId }) => traceId)).toEqual([parent.traceId, parent.traceId])
  expect(parents.map(({ flags }) => flags)).toEqual(["00", "00"])
  expect(new Set([parent.spanId, ...parents.map(({ spanId }) => spanId)]).size).toBe(3)
  expect(api.requests.map(({ headers }) => headers["tracestate"])).toEqual(
    Array(2).fill("vendor=a1, other=b"),
  )
  expect(report?.runs.map(({ traceId }) => traceId)).toEqual([parent.traceId, parent.traceId])
})

it.each([
  ["no id at all", "hello"],
  ["a zero trace id", `00-${"0".repeat(32)}-${parent.spanId}-01`],
  ["a zero span id", `00-${parent.traceId}-${"0".repeat(16)}-01`],
  ["capital letters", `00-${parent.traceId.toUpperCase()}-${parent.spanId}-01`],
  ["version ff", `ff-${parent.traceId}-${parent.spanId}-01`],
  ["more fields in version 00", `00-${parent.traceId}-${parent.spanId}-01-more`],
])("warns of a TRACEPARENT with %s, and starts its own trace without TRACESTATE", async (_, given) => {
  const { api, run } = await openTraced({ blocks: [echo("one")] })
  const env = { TRACEPARENT: given, TRACESTATE: "vendor=1" }
  const { report, exitCode } = await run(traced, { env })
  expect(exitCode).toBe(0)
  expect(report?.warnings?.map(({ code }) => code)).toEqual(["traceparent-invalid"])
  expect(parentOf(api.requests[0]).traceId).toMatch(/^[0-9a-f]{32}$/)
  expect(parentOf(api.requests[0]).traceId).not.toBe(parent.traceId)
  expect(api.requests[0]?.headers).not.toHaveProperty("tracestate")
})

it("accepts a TRACEPARENT of a later version", async () => {
  const { api, run } = await openTraced({ blocks: [echo("one")] })
  await run(traced, { env: { TRACEPARENT: `cc-${parent.traceId}-${parent.spanId}-ff-more` } })
  expect(parentOf(api.requests[0])).toMatchObject({ traceId: parent.traceId, flags: "03" })
})

it("keeps a traceparent that the request sets, and reports its ids", async () => {
  const header = { Traceparent: `00-${parent.traceId}-${parent.spanId}-01` }
  const { api, run } = await openTraced({
    blocks: [request("own", { operation: "echo", overrides: { params: { header } } }), echo("other")],
  })
  const { report } = await run(traced, {
    env: { TRACEPARENT: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`, TRACESTATE: "vendor=1" },
  })
  expect(api.requests[0]?.headers["traceparent"]).toBe(header.Traceparent)
  expect(api.requests[0]?.headers).not.toHaveProperty("tracestate")
  const blocks = blocksOf(firstRun(report))
  expect(blocks.get("own")).toMatchObject(parent)
  expect(blocks.get("other")).not.toHaveProperty("traceId")
  expect(firstRun(report).traceId).toBe("a".repeat(32))
})

it("keeps the header on redirects within the origin, and drops it for another", async () => {
  const other = await startServer({ "*": { body: {} } })
  const item = (id: string) => request(id, { operation: "getItem", overrides: { params: { path: { id } } } })
  const { api, run } = await openTraced({
    blocks: [item("near"), item("far")],
    routes: {
      "GET /items/near": { status: 302, headers: { location: "/items/end" } },
      "GET /items/far": { status: 307, headers: { location: `${other.url}/items/end` } },
    },
  })
  const env = { TRACEPARENT: `00-${parent.traceId}-${parent.spanId}-01`, TRACESTATE: "vendor=1" }
  const { stderr } = await run(traced, { env })
  const [near, end, far] = api.requests
  expect(end?.path).toBe("/items/end")
  expect(end?.headers["traceparent"]).toBe(near?.headers["traceparent"])
  expect(end?.headers["tracestate"]).toBe("vendor=1")
  expect(far?.headers).toHaveProperty("traceparent")
  expect(other.requests).toHaveLength(1)
  expect(other.requests[0]?.headers).not.toHaveProperty("traceparent")
  expect(other.requests[0]?.headers).not.toHaveProperty("tracestate")
  expect(stderr).toBe("")
})

it("sends nothing extra to production, says so once, and includes it only if asked", async () => {
  const { api, run } = await openTraced({ blocks: [echo("one"), live("two"), live("three")] })
  const words = ["run", "w", "--env=shop=local", "--env=live=live", "--yes", "--json"]
  const { report, stderr } = await run([...words, "--trace"])
  const headers = api.requests.map((one) => [one.path, one.headers["traceparent"] !== undefined])
  expect(headers).toEqual([
    ["/echo", true],
    ["/live/echo", false],
    ["/live/echo", false],
  ])
  expect(blocksOf(firstRun(report)).get("two")).not.toHaveProperty("spanId")
  expect(stderr.match(/live=live are not traced/g)).toHaveLength(1)
  const all = await run([...words, "--trace=production"])
  expect(api.requests.slice(3).every(({ headers }) => headers["traceparent"] !== undefined)).toBe(true)
  expect(all.stderr).toBe("")
})

it("traces requests for tokens and the repeated request after a 401, each with a span of its own", async () => {
  const client = { id: "shop-client", method: "client_secret_basic", secret: "kettle-secret-1" }
  const provider = await startProvider({ client, revokesAfter: 1 })
  const seen: { path: string; parent: string | undefined }[] = []
  const proxy = await startServer({
    "*": async ({ method, path, headers, text }) => {
      seen.push({ path, parent: String(headers["traceparent"]) })
      const { authorization = "", "content-type": type = "" } = headers
      const response = await fetch(`${provider.url}${path}`, {
        method,
        headers: { authorization, "content-type": type },
        ...(text === "" ? {} : { body: text }),
      })
      return {
        status: response.status,
        headers: { "content-type": "application/json" },
        body: await response.text(),
      }
    },
  })
  const values = { clientId: client.id, clientSecret: client.secret }
  const get = (id: string) => ({ id, type: "request", request: { api: "shop", operation: "getItem" } })
  const { report, exitCode } = await callsheet(["run", "one", "--json", "--trace"], {
    files: oauthProject({ url: proxy.url, values, blocks: [get("one"), get("two")] }),
  })
  expect(exitCode).toBe(0)
  expect(seen.map(({ path }) => path)).toEqual(["/token", "/item", "/item", "/token", "/item"])
  const parents = seen.map(({ parent: header }) => /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/.exec(header ?? ""))
  expect(new Set(parents.map((found) => found?.[1]))).toEqual(new Set([firstRun(report).traceId]))
  expect(new Set(parents.map((found) => found?.[2])).size).toBe(5)
  const { spanId, request: shown } = blocksOf(firstRun(report)).get("two") ?? {}
  expect(shown?.headers?.["traceparent"]).toBe(seen[4]?.parent)
  expect(spanId).toBe(parents[4]?.[2])
})

it("refuses --trace with any word but production", async () => {
  const { run } = await openTraced({ blocks: [echo("one")] })
  const { exitCode, stderr } = await run(["run", "w", "--env=local", "--trace=staging"])
  expect(exitCode).toBe(2)
  expect(stderr).toContain("--trace must be production")
})
