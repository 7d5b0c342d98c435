import { describe, expect, it } from "vitest"
import { assert, echo, request, runBlocks } from "./shop-project.ts"

describe("tokens", () => {
  it.each<[string, string, unknown]>([
    ["a single token keeps its type", "{{in.response.body.json.n}}", 12],
    ["inside text a number is its JSON text", "n={{in.response.body.json.n}}", "n=12"],
    ["inside text an object is its JSON text", "o={{in.response.body.json.o}}", 'o={"a":[1]}'],
    ["null is a value", "{{in.response.body.json.z}}", null],
    ["an escape is literal", String.raw`\{{in}}`, "{{in}}"],
    ["a variable of the bound environment", "{{tier}}", 3],
    ["a variable by API", "{{env.shop.tier}}", 3],
    ["substituted text is not scanned again", "{{in.response.body.json.t}}", "{{tier}}"],
    ["big integers keep every digit", "{{in.response.body.json.big}}", "9007199254740993"],
    ["nested tokens", "{{in.response.body.json.{{in.response.body.json.key}}}}", 12],
  ])("%s", async (_, token, sent) => {
    const answer = String.raw`{"json": {"n": 12, "o": {"a": [1]}, "z": null, "t": "{{tier}}", "key": "n", "big": 9007199254740993}}`
    const routes = { "GET /echo": { body: answer, headers: { "content-type": "application/json" } } }
    const { requests } = await runBlocks(
      [echo("in"), request("out", { operation: "postEcho", overrides: { body: { value: token } } })],
      { routes },
    )
    const text = requests[1]!.text.replace(":9007199254740993", ':"9007199254740993"')
    expect(JSON.parse(text)).toEqual({ value: sent })
  })

  it.each([
    ["{{nothing}}", 'nothing is named "nothing" here'],
    ["{{in.response.body.nope.x}}", '"in.response.body" has no property "nope"'],
    ["{{token2}}", "token2"],
    ["{{env.other.x}}", 'sends no request to an API named "other"'],
    ["{{$nope}}", "not a dynamic value"],
    ["{{$index}}", '"$index" exists only inside a loop'],
    ["{{names.total}}", 'has no output "total" because "in.response.body.total" did not resolve'],
  ])("%s fails its block", async (token, message) => {
    const { exitCode, block, requests } = await runBlocks([
      echo("in"),
      { id: "names", type: "transform", transforms: { total: "in.response.body.total" } },
      echo("out", { x: token }),
    ])
    expect(exitCode).toBe(1)
    expect(requests).toHaveLength(1)
    expect(block("out").error).toMatchObject({
      code: "token-unresolved",
      message: expect.stringContaining(message) as string,
    })
  })

  it("repeats $uuid and $randomInt by seed, with parallel too", async () => {
    const blocks = [
      {
        id: "loop",
        type: "loop",
        mode: "times",
        count: 4,
        execution: "parallel",
        iteratorVar: "i",
        blocks: [echo("get-{{i}}", { u: "{{$uuid}}", r: "{{$randomInt}}", again: "{{$uuid}}" })],
      },
    ]
    const values = async (...words: string[]) => {
      const { block } = await runBlocks(blocks, { words })
      return [0, 1, 2, 3].map(
        (i) => (block(`get-${i}`).response!.body as { query: Record<string, string> }).query,
      )
    }
    const [first, second, third] = [
      await values("--seed", "7"),
      await values("--seed", "7"),
      await values("--seed", "8"),
    ]
    expect(second).toEqual(first)
    expect(third).not.toEqual(first)
    expect(new Set(first.flatMap((query) => [query["u"], query["again"]])).size).toBe(8)
    expect(first[0]?.["u"]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })
})

describe("request", () => {
  it("finds an operation by id, by METHOD /path and by resource", async () => {
    const { requests, exitCode } = await runBlocks([
      request("a", { operation: "GET /echo" }),
      request("b", { operation: "list", resource: "customers" }),
      request("c", { operation: "list", resource: "orders" }),
      request("d", { operation: "getItem", overrides: { params: { path: { id: "a/b c?#ä" } } } }),
    ])
    expect(exitCode).toBe(0)
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET /echo",
      "GET /customers",
      "GET /orders",
      "GET /items/a%2Fb%20c%3F%23%C3%A4",
    ])
  })

  it("overrides all five parts of a saved request", async () => {
    const saved = {
      version: 1,
      operation: "postEcho",
      params: {
        query: { a: "1", b: "2" },
        header: { "X-One": "1", "x-two": "2" },
        cookie: { c: "1", d: "2" },
      },
      body: { keep: true, lines: [{ sku: "tea", n: 1 }] },
    }
    const overrides = {
      params: { query: { b: "{{tier}}" }, header: { "x-one": "new" }, cookie: { d: "" } },
      body: { "lines.0.n": "{{tier}}", "lines[1].sku": "mug", 'note["a.b"]': null },
    }
    const { requests } = await runBlocks([request("post", { instance: "post", overrides })], {
      files: () => ({ "apis/shop/requests/tools/post.json": saved }),
    })
    const [sent] = requests
    expect(sent?.url).toBe("/echo?a=1&b=3")
    expect(sent?.headers).toMatchObject({ "x-one": "new", "x-two": "2", cookie: "c=1" })
    expect(sent?.json).toEqual({
      keep: true,
      lines: [{ sku: "tea", n: 3 }, { sku: "mug" }],
      note: { "a.b": null },
    })
  })

  it.each([
    ["lines.2", "has 1 items, so index 2 can't be set"],
    ["keep.x", '"keep" is a boolean'],
    ["lines.x", '"lines" is an array'],
  ])("fails the block on the body path %s", async (path, message) => {
    const saved = { version: 1, operation: "postEcho", body: { keep: true, lines: [1] } }
    const { block, requests } = await runBlocks(
      [request("post", { instance: "post", overrides: { body: { [path]: 1 } } })],
      {
        files: () => ({ "apis/shop/requests/tools/post.json": saved }),
      },
    )
    expect(requests).toHaveLength(0)
    expect(block("post").error).toMatchObject({
      code: "path-unresolved",
      message: expect.stringContaining(message) as string,
    })
  })

  it("fails on a missing and on an empty path parameter, and sends nothing", async () => {
    for (const path of [{}, { id: "" }]) {
      const { block, requests } = await runBlocks([
        request("get", { operation: "getItem", overrides: { params: { path } } }),
      ])
      expect(block("get").error?.code).toBe("path-param-missing")
      expect(requests).toHaveLength(0)
    }
  })

  it.each([
    ["json", { a: [1] }, "application/json", '{"a":[1]}'],
    ["form", { a: "x y", b: [1, 2] }, "application/x-www-form-urlencoded", "a=x+y&b=1&b=2"],
    ["text", "plain", "text/plain; charset=utf-8", "plain"],
    ["file", "files/data.bin", "application/octet-stream", "bytes"],
  ])("sends a %s body", async (bodyType, body, type, text) => {
    const { requests } = await runBlocks([request("post", { instance: "post" })], {
      files: () => ({
        "apis/shop/requests/tools/post.json": { version: 1, operation: "postEcho", bodyType, body },
        "files/data.bin": "bytes",
      }),
    })
    expect(requests[0]).toMatchObject({ text, headers: { "content-type": type } })
  })

  it("sends a multipart body with a file", async () => {
    const body = {
      note: "hello",
      tags: ["a", "b"],
      photo: { file: "files/p.png", filename: 'p".png', contentType: "image/png" },
    }
    const { requests } = await runBlocks([request("post", { instance: "post" })], {
      files: () => ({
        "apis/shop/requests/tools/post.json": {
          version: 1,
          operation: "postEcho",
          bodyType: "multipart",
          body,
        },
        "files/p.png": "PNG",
      }),
    })
    const boundary = /boundary=(.+)$/.exec(requests[0]?.headers["content-type"] ?? "")?.[1]
    const part = (head: string, content: string) => `--${boundary}\r\n${head}\r\n\r\n${content}\r\n`
    expect(requests[0]?.text).toBe(
      part('content-disposition: form-data; name="note"', "hello") +
        part('content-disposition: form-data; name="tags"', "a") +
        part('content-disposition: form-data; name="tags"', "b") +
        part(
          'content-disposition: form-data; name="photo"; filename="p%22.png"\r\ncontent-type: image/png',
          "PNG",
        ) +
        `--${boundary}--\r\n`,
    )
  })

  it("rejects a file outside the project, by the field", async () => {
    const { block, requests } = await runBlocks([request("post", { instance: "post" })], {
      files: () => ({
        "apis/shop/requests/tools/post.json": {
          version: 1,
          operation: "postEcho",
          bodyType: "file",
          body: "../../etc/passwd",
        },
      }),
    })
    expect(requests).toHaveLength(0)
    expect(block("post").error?.code).toBe("request-failed")
  })

  it("does not fail on a 500, but warns if nothing checks the status", async () => {
    const routes = { "GET /echo": { status: 500, body: { error: "x" } } }
    const seen = await runBlocks([echo("get")], { routes })
    expect(seen.exitCode).toBe(0)
    expect(seen.stderr).toContain("status-unread")
    const looked = await runBlocks([echo("get"), assert("check", ["get.response.status", "equals", 500])], {
      routes,
    })
    expect(looked.stderr).not.toContain("status-unread")
  })

  it("fails on an unreachable server, with the reason", async () => {
    const { block, exitCode } = await runBlocks([echo("get")], {
      files: () => ({ "apis/shop/environments/local.json": { baseUrl: "http://127.0.0.1:1" } }),
    })
    expect(exitCode).toBe(1)
    expect(block("get").error).toMatchObject({
      code: "request-failed",
      message: expect.stringContaining("127.0.0.1:1") as string,
    })
  })

  it("sends a variable where the document's security scheme wants it", async () => {
    const secured = {
      openapi: "3.0.0",
      info: { title: "S", version: "1" },
      security: [{ token: [] }],
      paths: {
        "/echo": {
          get: { operationId: "echo", responses: {} },
          post: { operationId: "open", security: [], responses: {} },
        },
      },
      components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
    }
    const { requests, stdout } = await runBlocks(
      [
        request("a", { operation: "echo" }),
        request("b", { operation: "open" }),
        request("c", { operation: "echo", overrides: { params: { header: { Authorization: "mine" } } } }),
      ],
      { files: () => ({ "apis/shop/openapi.json": secured }) },
    )
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer s3cr3t-t0k3n",
      undefined,
      "mine",
    ])
    expect(stdout).not.toContain("s3cr3t")
  })
})

describe("assert", () => {
  it("evaluates every assertion and reports what was received", async () => {
    const { block, exitCode } = await runBlocks([
      echo("get", { n: "1" }),
      assert(
        "check",
        ["get.response.status", "equals", 201],
        ["get.response.body.query", "equals", { n: "1" }],
        ["get.response.body.nothing", "notEquals", 1],
      ),
    ])
    expect(exitCode).toBe(1)
    expect(block("check")).toMatchObject({
      error: { code: "assertion-failed", message: "1 of 3 assertions failed" },
      assertions: [
        { source: "get.response.status", operator: "equals", expected: 201, actual: 200, status: "failed" },
        { status: "passed" },
        {
          status: "passed",
          message: 'the source does not resolve: "get.response.body" has no property "nothing"',
        },
      ],
    })
  })
})

describe("condition", () => {
  const condition = (source: string) => ({
    id: "if",
    type: "condition",
    if: { source, operator: "equals", value: 200 },
    then: [echo("yes")],
    else: [{ id: "no", type: "group", blocks: [echo("inner")] }],
  })

  it("reports the other branch and its blocks as skipped", async () => {
    const taken = await runBlocks([echo("get"), condition("get.response.status")])
    expect(taken.outline).toEqual([
      "get passed",
      "if passed",
      "yes passed",
      "no skipped branch",
      "inner skipped branch",
    ])
    const other = await runBlocks([echo("get"), condition("get.response.nothing")])
    expect(other.outline).toEqual([
      "get passed",
      "if passed",
      "yes skipped branch",
      "no passed",
      "inner passed",
    ])
    expect(other.run.counts).toEqual({ passed: 4, failed: 0, skipped: 1 })
  })

  it("fails with both branches halted if its check can't be made", async () => {
    const { outline } = await runBlocks([
      { ...condition("x"), if: { source: "get", operator: "equals", value: "{{nothing}}" } },
    ])
    expect(outline).toEqual(["if failed", "yes skipped halted", "no skipped halted", "inner skipped halted"])
  })
})

describe("onFailure", () => {
  const blocks = [
    { id: "group", type: "group", blocks: [assert("bad", ["x", "exists"]), echo("after")] },
    { id: "loop", type: "loop", mode: "times", count: 2, blocks: [echo("looped")] },
  ]

  it("halts at the first failed block, and lists the rest", async () => {
    const { outline, run } = await runBlocks(blocks)
    expect(outline).toEqual(["group failed", "bad failed", "after skipped halted", "loop skipped halted"])
    expect(run.status).toBe("failed")
  })

  it("continues if the workflow or the command says so", async () => {
    for (const options of [
      { workflow: { onFailure: "continue" } },
      { words: ["--on-failure", "continue"] },
    ]) {
      const { outline, exitCode } = await runBlocks(blocks, options)
      expect(exitCode).toBe(1)
      expect(outline).toEqual([
        "group failed",
        "bad failed",
        "after passed",
        "loop passed",
        "looped passed",
        "looped passed",
      ])
    }
  })
})

describe("nesting", () => {
  it("runs 10,000 nested groups, and reports them", async () => {
    let text = JSON.stringify(echo("bottom"))
    for (let level = 10_000; level > 0; level--) text = `{"id":"g${level}","type":"group","blocks":[${text}]}`
    const { exitCode, run, block } = await runBlocks([], {
      files: () => ({ "apis/workflow/w.json": `{"version":1,"blocks":[${text}]}` }),
    })
    expect(exitCode).toBe(0)
    expect(block("bottom").status).toBe("passed")
    expect(run.counts).toEqual({ passed: 10_001, failed: 0, skipped: 0 })
  })
})
