// `--reporter otlp=<url>`: what a collector receives, and that it never decides about a run.

import { createServer } from "node:net"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { describe, expect, it, onTestFinished } from "vitest"
import type { Answer, ApiServer, Route } from "../harness/api-server.ts"
import { callsheet } from "../harness/callsheet.ts"
import { oauthProject, startProvider } from "../auth/oauth-project.ts"
import { assert, echo, request } from "../run/shop-project.ts"
import { attributeOf, checkRequest, spansOf, type OtlpSpan } from "./otlp-definition.ts"
import { blocksOf, firstRun, live, openTraced, startServer } from "./traced-project.ts"

const words = ["run", "w", "--env=local", "--json", "--trace"]
const startCollector = (answer: Answer | Route = { body: {} }) => startServer({ "*": answer })

/** Returns the spans that a collector received by name. Each request must be valid. */
function received(collector: ApiServer): readonly OtlpSpan[] {
  return collector.requests.flatMap(({ json }) => {
    expect(checkRequest(json)).toEqual([])
    return spansOf(json)
  })
}

const named = (spans: readonly OtlpSpan[], name: string): OtlpSpan => {
  const found = spans.filter((span) => span.name === name)
  if (found[0] === undefined || found.length > 1)
    throw new Error(`${found.length} spans ${name} in ${spans.map((span) => span.name).join(", ")}`)
  return found[0]
}

it("sends a span per workflow and block, with the ids of the report", async () => {
  const collector = await startCollector()
  const { run } = await openTraced({
    blocks: [
      { id: "both", type: "group", blocks: [echo("one")] },
      assert("sure", ["one.response.status", "equals", 201]),
    ],
  })
  const { report, exitCode, stderr } = await run([...words, `--reporter=otlp=${collector.url}`])
  expect([exitCode, stderr]).toEqual([1, ""])
  const [post] = collector.requests
  expect([post?.method, post?.path, post?.headers["content-type"]]).toEqual([
    "POST",
    "/v1/traces",
    "application/json",
  ])
  const spans = received(collector)
  expect(spans.map(({ name }) => name)).toEqual(["one", "both", "sure", "w"])
  const [root, both, one, sure] = ["w", "both", "one", "sure"].map((name) => named(spans, name))
  const { traceId } = firstRun(report)
  expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]))
  expect(root).not.toHaveProperty("parentSpanId")
  expect([both?.parentSpanId, one?.parentSpanId]).toEqual([root?.spanId, both?.spanId])
  expect(blocksOf(firstRun(report)).get("one")?.spanId).toBe(one?.spanId)
  expect([one?.kind, both?.kind]).toEqual([3, 1])
  expect(one && attributeOf(one, "http.response.status_code")).toBe("200")
  expect(one && attributeOf(one, "url.full")).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/echo$/)
  expect([sure?.status?.code, root?.status?.code, one?.status]).toEqual([2, 2, undefined])
  expect(sure && attributeOf(sure, "error.type")).toBe("assertion-failed")
})

it("sends the attempts of a retried workflow below one root, and continues TRACEPARENT", async () => {
  const collector = await startCollector()
  let calls = 0
  const { run } = await openTraced({
    blocks: [echo("one"), assert("sure", ["one.response.body.ok", "equals", true])],
    routes: { "GET /echo": () => ({ body: { ok: calls++ > 0 } }) },
  })
  const parent = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" }
  const env = { TRACEPARENT: `00-${parent.traceId}-${parent.spanId}-01`, TRACESTATE: "vendor=1" }
  await run([...words, "--retries=1", `--reporter=otlp=${collector.url}`], { env })
  const spans = received(collector)
  const root = named(spans, "w")
  expect(root).toMatchObject({
    traceId: parent.traceId,
    parentSpanId: parent.spanId,
    traceState: "vendor=1",
    flags: 1,
  })
  expect(root.status).toBeUndefined()
  const attempts = ["w attempt 1", "w attempt 2"].map((name) => named(spans, name))
  expect(attempts.map(({ parentSpanId }) => parentSpanId)).toEqual([root.spanId, root.spanId])
  expect(attempts.map(({ status }) => status?.code)).toEqual([2, undefined])
  const blocks = spans.filter(({ name }) => name === "one").map(({ parentSpanId }) => parentSpanId)
  expect(blocks).toEqual(attempts.map(({ spanId }) => spanId))
  expect(BigInt(root.startTimeUnixNano) <= BigInt(attempts[0]?.startTimeUnixNano ?? 0)).toBe(true)
})

it("sends requests for tokens and repeated requests as spans of their own, without a secret", async () => {
  const client = { id: "shop-client", method: "client_secret_basic", secret: "kettle-secret-1" }
  const provider = await startProvider({ client, revokesAfter: 1 })
  const collector = await startCollector()
  const get = (id: string) => ({ id, type: "request", request: { api: "shop", operation: "getItem" } })
  const values = { clientId: client.id, clientSecret: client.secret }
  const { exitCode } = await callsheet(
    ["run", "one", "--json", "--trace", `--reporter=otlp=${collector.url}`],
    {
      files: oauthProject({ url: provider.url, values, blocks: [get("one"), get("two")] }),
    },
  )
  expect(exitCode).toBe(0)
  const spans = received(collector)
  const tokens = spans.filter(({ name }) => name === "POST token")
  const one = spans.find(({ name, kind }) => name === "one" && kind === 3)
  const [first, again] = spans.filter(({ name }) => name === "two")
  expect(tokens.map(({ parentSpanId }) => parentSpanId)).toEqual([one?.spanId, first?.spanId])
  expect(again?.parentSpanId).toBe(first?.spanId)
  expect(again && attributeOf(again, "http.request.resend_count")).toBe("1")
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length)
  const text = collector.requests.map((one) => one.text).join("")
  for (const secret of [client.secret, ...provider.secrets]) expect(text).not.toContain(secret)
})

it("masks secrets in names, URLs and messages, also those that the run learns later", async () => {
  const collector = await startCollector()
  const { run } = await openTraced({
    blocks: [
      echo("one", { key: "{{token}}", later: "l8-secret-kettle" }),
      request("two", { operation: "getItem", overrides: { params: { path: { id: "{{token}}" } } } }),
      request("sign", { operation: "postEcho" }),
      assert("sure", ["one.response.body.text", "equals", "nothing"]),
    ],
    routes: {
      "GET /echo": { body: { text: "s3cr3t-t0k3n and l8-secret-kettle" } },
      "POST /echo": { body: { access_token: "l8-secret-kettle" } },
    },
  })
  const { exitCode } = await run([...words, `--reporter=otlp=${collector.url}`, "--verify-no-leak"])
  expect(exitCode).toBe(1)
  const spans = received(collector)
  expect(attributeOf(named(spans, "one"), "url.full")).toContain("/echo?key=***&later=***")
  expect(attributeOf(named(spans, "two"), "url.full")).toContain("/items/***")
  const text = collector.requests.map((one) => one.text).join("")
  expect(text).not.toMatch(/s3cr3t-t0k3n|l8-secret-kettle/)
})

it("sends no span of a request to production unless asked, and links to a trace that a request names", async () => {
  const collector = await startCollector()
  const header = { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` }
  const own = request("own", { operation: "echo", overrides: { params: { header } } })
  const { run } = await openTraced({ blocks: [own, live("two")] })
  const given = [
    "run",
    "w",
    "--env=shop=local",
    "--env=live=live",
    "--yes",
    `--reporter=otlp=${collector.url}`,
  ]
  await run([...given, "--trace"])
  const spans = received(collector)
  expect(spans.map(({ name }) => name)).toEqual(["own", "w"])
  expect(collector.requests[0]?.text).not.toContain("/live/")
  expect(named(spans, "own").links).toEqual([{ traceId: "a".repeat(32), spanId: "b".repeat(16) }])
  await run([...given, "--trace=production"])
  expect(
    received(collector)
      .slice(2)
      .map(({ name }) => name),
  ).toEqual(["own", "two", "w"])
})

it("keeps the path and the query of the URL", async () => {
  const collector = await startCollector()
  const { run } = await openTraced({ blocks: [echo("one")] })
  await run([...words, `--reporter=otlp=${collector.url}/in/traces?key=1`])
  expect(collector.requests.map(({ url }) => url)).toEqual(["/in/traces?key=1"])
})

it("splits a long run into requests of at most 1,000 spans", async () => {
  const collector = await startCollector()
  const loop = {
    id: "loop",
    type: "loop",
    mode: "times",
    count: 1100,
    iteratorVar: "i",
    blocks: [assert("sure-{{i}}", ["i", "exists"])],
  }
  const { run } = await openTraced({ blocks: [loop] })
  const { exitCode } = await run(["run", "w", "--env=local", "--trace", `--reporter=otlp=${collector.url}`])
  expect(exitCode).toBe(0)
  expect(collector.requests.map(({ json }) => spansOf(json).length)).toEqual([1000, 102])
  expect(new Set(received(collector).map(({ spanId }) => spanId)).size).toBe(1102)
})

it.each([
  ["refuses", { status: 503 }, "it responded with status 503"],
  ["rejects some", { body: { partialSuccess: { rejectedSpans: "2" } } }, "it rejected 2 spans"],
  ["redirects", { status: 307, headers: { location: "/elsewhere" } }, "it responded with status 307"],
])("only warns of a collector that %s", async (_, answer, reason) => {
  const collector = await startCollector(answer)
  const { run } = await openTraced({ blocks: [echo("one")] })
  const { exitCode, stderr } = await run([...words, `--reporter=otlp=${collector.url}?key=hidden`])
  expect(exitCode).toBe(0)
  expect(stderr).toContain(`warning: could not send the traces to ${collector.url}/v1/traces: ${reason}`)
  expect(stderr).toContain("collector-failed")
  expect(stderr).not.toContain("hidden")
  expect(collector.requests).toHaveLength(1)
})

it("only warns of a collector that is down, or doesn't respond within five seconds", async () => {
  const { run } = await openTraced({ blocks: [echo("one")] })
  const down = await run([...words, "--reporter=otlp=http://127.0.0.1:9"])
  expect(down.exitCode).toBe(0)
  expect(down.stderr).toMatch(/^warning: could not send the traces to http:\/\/127\.0\.0\.1:9\/v1\/traces: /)
  const silent = createServer().listen(0, "127.0.0.1")
  await once(silent, "listening")
  onTestFinished(() => void silent.close())
  const startedAt = performance.now()
  const slow = await run([
    ...words,
    `--reporter=otlp=http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
  ])
  expect(slow.exitCode).toBe(0)
  expect(slow.report?.status).toBe("passed")
  expect(slow.stderr).toContain("warning: could not send the traces")
  expect(performance.now() - startedAt).toBeLessThan(10_000)
})

it("needs --trace on the command line, and waits for it in callsheet.json", async () => {
  const collector = await startCollector()
  const given = `otlp=${collector.url}`
  const { api, run } = await openTraced({
    blocks: [echo("one")],
    settings: { defaults: { reporters: ["json", given] } },
  })
  const untraced = await run(["run", "w", "--env=local", "--reporter", given])
  expect(untraced.exitCode).toBe(2)
  expect(untraced.stderr).toContain("--reporter otlp sends traces, so it needs --trace")
  expect(api.requests).toHaveLength(0)
  const waiting = await run(["run", "w", "--env=local"])
  expect([waiting.exitCode, waiting.stderr, collector.requests.length]).toEqual([0, "", 0])
  await run(["run", "w", "--env=local", "--trace"])
  expect(collector.requests).toHaveLength(1)
})

describe("with OTEL_EXPORTER_OTLP_HEADERS", () => {
  const secret = "c0llect0r-t0ken"
  const env = { OTEL_EXPORTER_OTLP_HEADERS: `api-key=${secret}, X-Team = a%20b%2Cc` }

  it("sends the headers to a collector of the command line, and prints them nowhere", async () => {
    const collector = await startCollector({ status: 401, body: { message: secret } })
    const { run } = await openTraced({ blocks: [echo("one")] })
    const { exitCode, stdout, stderr } = await run([...words, `--reporter=otlp=${collector.url}`], { env })
    expect(collector.requests[0]?.headers).toMatchObject({ "api-key": secret, "x-team": "a b,c" })
    expect(exitCode).toBe(0)
    expect(stderr).toContain("it responded with status 401")
    expect(stdout + stderr).not.toContain(secret)
  })

  it("sends no header to a collector that only callsheet.json names, unless the endpoint has its origin", async () => {
    const collector = await startCollector({ status: 401 })
    const { run } = await openTraced({
      blocks: [echo("one")],
      settings: { defaults: { reporters: ["json", `otlp=${collector.url}`] } },
    })
    const traced = ["run", "w", "--env=local", "--trace"]
    for (const OTEL_EXPORTER_OTLP_ENDPOINT of [undefined, "http://127.0.0.1:9", `${collector.url}.example`]) {
      const { exitCode, stdout, stderr } = await run(traced, {
        env: {
          ...env,
          ...(OTEL_EXPORTER_OTLP_ENDPOINT === undefined ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT }),
        },
      })
      expect(exitCode).toBe(0)
      expect(stderr).toContain("to send OTEL_EXPORTER_OTLP_HEADERS to an address in callsheet.json")
      expect(stdout + stderr).not.toContain(secret)
    }
    await run(traced, { env: { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/v1` } })
    const sent = collector.requests.map(({ headers }) => headers["api-key"])
    expect(sent).toEqual([undefined, undefined, undefined, secret])
  })

  it.each([
    secret,
    `api-key=${secret},`,
    `api key=${secret}`,
    `k=${secret}%`,
    `k=${secret}%0a`,
    `Content-Type=${secret}`,
  ])("warns of %s, and doesn't quote it", async (OTEL_EXPORTER_OTLP_HEADERS) => {
    const collector = await startCollector()
    const { run } = await openTraced({ blocks: [echo("one")] })
    const { exitCode, stdout, stderr } = await run([...words, `--reporter=otlp=${collector.url}`], {
      env: { OTEL_EXPORTER_OTLP_HEADERS },
    })
    expect(exitCode).toBe(0)
    expect(stderr).toContain("OTEL_EXPORTER_OTLP_HEADERS is not a list of headers")
    expect(stdout + stderr).not.toContain(secret)
    expect(collector.requests).toHaveLength(0)
  })
})

it.each(["otlp", "otlp=", "otlp=traces.json", "otlp=file:///tmp/x", "otlp=http://me:s3cr3t@127.0.0.1/"])(
  "refuses %s, on the command line and in callsheet.json",
  async (given) => {
    const { run } = await openTraced({
      blocks: [echo("one")],
      settings: { defaults: { reporters: [given] } },
    })
    const named = await run(["run", "w", "--env=local", "--trace", "--reporter", given])
    const inFile = await run(["validate"])
    for (const { exitCode, stderr, stdout } of [named, inFile]) {
      expect(exitCode).not.toBe(0)
      expect(stderr + stdout).toContain("the http or https URL of a collector, without a name or password")
      expect(stderr + stdout).not.toContain("s3cr3t")
    }
  },
)

it("sends the traces of a record, if it has some", async () => {
  const collector = await startCollector()
  const { run } = await openTraced({ blocks: [echo("one")] })
  await run([...words, "--record=traced.callsheet"])
  await run(["run", "w", "--env=local", "--record=plain.callsheet"])
  const sent = await run(["report", "traced.callsheet", `--reporter=otlp=${collector.url}`])
  expect([sent.exitCode, sent.stderr]).toEqual([0, ""])
  expect(received(collector).map(({ name }) => name)).toEqual(["one", "w"])
  const plain = await run(["report", "plain.callsheet", `--reporter=otlp=${collector.url}`])
  expect(plain.exitCode).toBe(2)
  expect(plain.stderr).toContain("--reporter otlp needs the ids of a traced run, which no record has")
  expect(collector.requests).toHaveLength(1)
})
