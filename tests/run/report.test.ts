import { describe, expect, it } from "vitest"
import type { Route } from "../harness/api-server.ts"
import { assert, echo, request, runBlocks, shopFiles } from "./shop-project.ts"

/** Every key of the report with its path: arrays as `[]`, and outside content as `…`. */
function keysOf(value: unknown, at = ""): string[] {
  if (
    typeof value !== "object" ||
    value === null ||
    /(?:body|headers|inputs|outputs|environments|expected|actual|value)$/.test(at)
  )
    return [at]
  if (Array.isArray(value)) return value.flatMap((item) => keysOf(item, `${at}[]`))
  return Object.entries(value).flatMap(([key, inner]) => keysOf(inner, `${at}.${key}`))
}

const documented = (schema: unknown) => ({
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/echo": {
      get: {
        operationId: "echo",
        responses: { 200: { description: "", content: { "application/json": { schema } } } },
      },
    },
  },
})

describe("the JSON report", () => {
  it("has exactly the documented parts", async () => {
    const { report, run } = await runBlocks(
      [
        { ...echo("get", { n: "1" }), description: "A note." },
        assert("check", ["get.response.status", "equals", 201], ["get.response.body.x", "notEquals", 1]),
        { id: "names", type: "transform", transforms: { n: "get.response.status", no: "x" } },
        { id: "if", type: "condition", if: { source: "x", operator: "exists" }, then: [echo("no")] },
        {
          id: "loop",
          type: "loop",
          mode: "times",
          count: 1,
          blocks: [{ id: "log", type: "script", script: { name: "s", exportName: "f" } }],
        },
        { id: "group", type: "group", blocks: [] },
        request("bad", { operation: "{{names.n}}" }),
      ],
      {
        workflow: {
          onFailure: "continue",
          validateContracts: true,
          inputs: { a: { type: "number", default: 1 } },
        },
        files: () => ({
          "apis/shop/openapi.json": documented({ type: "array" }),
          "apis/workflow/scripts/w/s.ts": `export const f = (ctx) => ctx.log("hello")`,
        }),
      },
    )
    const block = ["id", "type", "status", "durationMs"]
    const blocks = (...parts: readonly string[]) => [...block, ...parts]
    const keys = new Set(keysOf(report).map((key) => key.replaceAll("[]", "").replace(".runs", "")))
    const expected = [
      "version status durationMs".split(" "),
      "code message file line column".split(" ").map((key) => `warnings.${key}`),
      "workflow status startedAt durationMs environments inputs counts.passed counts.failed counts.skipped".split(
        " ",
      ),
      blocks("description", "outputs").map((key) => `blocks.${key}`),
      "code message file line column".split(" ").map((key) => `blocks.error.${key}`),
      "method url headers".split(" ").map((key) => `blocks.request.${key}`),
      "path message schema file line".split(" ").map((key) => `blocks.requestProblems.${key}`),
      "status headers body durationMs sizeBytes".split(" ").map((key) => `blocks.response.${key}`),
      "status problems.path problems.message problems.schema problems.file problems.line"
        .split(" ")
        .map((key) => `blocks.contract.${key}`),
      "source operator expected actual status message file line column"
        .split(" ")
        .map((key) => `blocks.assertions.${key}`),
      [...block, "reason"].map((key) => `blocks.blocks.${key}`),
      "index value status".split(" ").map((key) => `blocks.iterations.${key}`),
      [...block, "logs"].map((key) => `blocks.iterations.blocks.${key}`),
    ].flat()
    expect([...keys].sort()).toEqual([...new Set(expected.map((key) => `.${key}`))].sort())
    expect(run.environments).toEqual({
      shop: { name: "local", level: "local", baseUrl: expect.stringMatching(/^http:\/\/127/) as string },
    })
    expect(run.counts).toEqual({ passed: 5, failed: 3, skipped: 1 })
  })

  it("of a run that could not start lists every problem and no block", async () => {
    const { report, requests } = await runBlocks([echo("get")], {
      workflow: { inputs: { n: { type: "number", required: true } } },
      files: () => ({ "apis/shop/environments/local.json": { baseUrl: null } }),
    })
    expect(requests).toHaveLength(0)
    expect(report).toMatchObject({ status: "error", runs: [{ status: "error", blocks: [] }] })
    expect(report?.runs[0]?.counts).toEqual({ passed: 0, failed: 0, skipped: 0 })
    expect(report?.runs[0]?.error?.problems.map(({ code }) => code)).toEqual([
      "variable-missing",
      "input-missing",
    ])
  })
})

describe("a secret", () => {
  const withSecret = (type: string, secrets: string) => (url: string) => ({
    ...shopFiles(url, []),
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: { baseUrl: { type: "string", required: true }, s: { type, required: true, secret: true } },
    },
    "apis/shop/environments/local.json": { baseUrl: url },
    "apis/shop/environments/local.secrets.env": secrets,
  })
  const mirror: Route = (received) => ({
    status: received.query.has("hop") ? 302 : 200,
    headers: received.query.has("hop") ? { location: `/echo?from=${received.query.get("hop")}` } : {},
    body: {
      url: received.url,
      headers: received.headers,
      basic: Buffer.from(`me:${received.query.get("a")}`).toString("base64"),
    },
  })

  it.each([
    ["a text", "string", String.raw`p/w+ü "1" ok`, String.raw`s='p/w+ü "1" ok'`],
    ["a status word", "string", "passed", "s=passed"],
  ])("is nowhere in the report: %s", async (_, type, secret, line) => {
    const blocks = [
      {
        ...request("get", {
          operation: "GET /echo",
          overrides: { params: { query: { a: "{{s}}" }, cookie: { c: "x" } } },
        }),
        description: "with {{env.shop.s}}",
      },
      request("item", { operation: "getItem", overrides: { params: { path: { id: "{{s}}" } } } }),
      request("hop", { operation: "GET /echo", overrides: { params: { query: { hop: "{{s}}" } } } }),
      request("post", { operation: "postEcho", overrides: { body: { "deep.list": ["<{{s}}>"] } } }),
      { id: "t", type: "transform", transforms: { all: "get.response.body", s: "env.shop.s" } },
      { id: "loop", type: "loop", mode: "forEach", source: "t.all.list", blocks: [] },
      {
        id: "until",
        type: "loop",
        mode: "until",
        maxIterations: 1,
        until: { source: "t.s", operator: "equals", value: "x{{t.s}}" },
        blocks: [],
      },
      request("bad", { operation: "{{s}}" }),
      assert("check", ["t.{{t.s}}", "equals", "{{t.s}}"], ["t.s", "equals", "{{t.s}}"]),
    ]
    const { stdout, stderr, run, block } = await runBlocks(blocks, {
      routes: { "GET /echo": mirror, "*": mirror },
      workflow: { onFailure: "continue", inputs: { s2: { type: "string", default: secret } } },
      files: (url) => ({
        ...withSecret(type, `${line}\n`)(url),
        "apis/workflow/w.json": { version: 1, onFailure: "continue", blocks },
      }),
    })
    const text = `${stdout}${stderr}`.replaceAll(/"(?:status|passed)":"?\w+"?/g, "")
    for (const form of [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      Buffer.from(`me:${secret}`).toString("base64").slice(5, -3),
    ]) {
      expect(text).not.toContain(form)
    }
    expect(block("get").status).toBe("passed")
    expect(run.counts.passed).toBe(5)
    expect(block("hop").response?.redirects?.[0]?.url).toMatch(/\/echo\?from=\*\*\*$/)
    expect(block("item").request?.url).toMatch(/\/items\/\*\*\*$/)
    expect(block("until").error?.message).toContain("received ***")
    expect(block("check").assertions?.[1]).toMatchObject({ expected: "***", actual: "***", status: "passed" })
  })

  it.each([
    ["number", "s=201", 201],
    ["boolean", "s=true", true],
    ["string", "s=a/", "a/"],
  ])("that is a short %s is masked if it is a whole value", async (type, line, value) => {
    const blocks = [
      request("post", {
        operation: "postEcho",
        overrides: {
          params: { query: { q: "{{s}}" }, header: { "x-s": "{{s}}" } },
          body: { one: "{{s}}", many: ["{{s}}", "x{{s}}"] },
        },
      }),
    ]
    const { block, run } = await runBlocks(blocks, {
      files: (url) => ({
        ...withSecret(type, `${line}\n`)(url),
        "apis/workflow/w.json": { version: 1, blocks },
      }),
    })
    const { request: sent, response } = block("post")
    expect(sent?.body).toEqual({ one: "***", many: ["***", `x${String(value)}`] })
    expect(sent?.url).toMatch(/\/echo\?q=\*\*\*$/)
    expect(sent?.headers?.["x-s"]).toBe("***")
    expect(response?.status).toBe(201)
    expect(response?.body).toMatchObject({ json: { one: "***" } })
    expect(run.counts).toEqual({ passed: 1, failed: 0, skipped: 0 })
  })
})
