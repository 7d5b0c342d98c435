// Messages about responses that aren't what a workflow expects: what they are instead, and what to do.

import { describe, expect, it } from "vitest"
import type { Answer } from "../harness/api-server.ts"
import { assert, echo, request, runBlocks, type ShopOptions } from "./shop-project.ts"

const check = (source: string, value: number) => assert("check", [source, "equals", value])

async function messageOf(answer: Answer, path: string): Promise<string> {
  const { block } = await runBlocks([echo("get"), check(path, 1)], { routes: { "GET /echo": answer } })
  return block("check").assertions?.[0]?.message ?? ""
}

const html = (body: string, status = 502): Answer => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8" },
  body,
})

describe("a body that is not JSON", () => {
  it.each<[string, Answer, string]>([
    [
      "an error page",
      html("<!DOCTYPE html>\n<html>Bad gateway</html>"),
      'is text of the type text/html (status 502), which has no property "id"; it starts with "<!DOCTYPE html>"',
    ],
    [
      "a page in one line",
      html(`<html>${"x".repeat(500)}`, 200),
      `it starts with "<html>${"x".repeat(114)}…"`,
    ],
    ["blank lines first", html("\n\n  <html>\n"), 'it starts with "<html>"'],
    [
      "plain text",
      { headers: { "content-type": "text/plain" }, body: "upstream timed out" },
      'is text of the type text/plain (status 200), which has no property "id"; it starts with "upstream timed out"',
    ],
    [
      "XML",
      { headers: { "content-type": "application/soap+xml" }, body: "<Fault/>" },
      "is text of the type application/soap+xml (status 200)",
    ],
    [
      "an image",
      { headers: { "content-type": "image/png" }, body: Buffer.of(1, 2, 3) },
      'is base64 of the type image/png (status 200), which has no property "id"',
    ],
    [
      "HTML that claims to be JSON",
      { headers: { "content-type": "application/json" }, body: "<html>" },
      'is not valid JSON: error at line 1, column 1; it starts with "<html>"',
    ],
    [
      "a JSON string",
      { body: JSON.stringify("text"), headers: { "content-type": "application/json" } },
      'is a string, which has no property "id"',
    ],
    ["no body", { status: 204 }, '"get.response.body" doesn\'t exist: the body is empty (204)'],
    ["no body in a 200", { status: 200 }, '"get.response.body" doesn\'t exist: the body is empty (200)'],
  ])("%s: says what it is", async (_, answer, message) => {
    expect(await messageOf(answer, "get.response.body.id")).toContain(message)
  })

  it("is not quoted if it contains a secret, not even in part", async () => {
    const message = await messageOf(html("<html>s3cr3t-t0k3n</html>"), "get.response.body.id")
    expect(message).toMatch(/which has no property "id"$/)
  })

  it("says so in a placeholder, too", async () => {
    const second = request("second", {
      operation: "GET /echo",
      overrides: { params: { query: { a: "{{get.response.body.id}}" } } },
    })
    const { block } = await runBlocks([echo("get"), second], { routes: { "GET /echo": html("<p>") } })
    expect(block("second").error?.message).toContain("is text of the type text/html (status 502)")
  })
})

describe("a header in upper case", () => {
  it.each([
    ["Location", 'because header names are lower-case: write "location"'],
    ["LOCATION", 'because header names are lower-case: write "location"'],
    ["X-Total", 'header names are lower-case, but the response has no "x-total" either'],
  ])("%s: says how to write it", async (name, message) => {
    const answer = { headers: { location: "/x" }, body: {} }
    expect(await messageOf(answer, `get.response.headers["${name}"]`)).toContain(message)
  })

  it("that is really missing keeps its message", async () => {
    expect(await messageOf({ body: {} }, "get.response.headers.location")).toContain(
      'has no property "location"',
    )
  })
})

describe("status 429", () => {
  const limited = (after?: string): ShopOptions => ({
    routes: {
      "GET /echo": { status: 429, headers: after === undefined ? {} : { "retry-after": after }, body: {} },
    },
  })

  it.each([
    ["30", "(Retry-After: 30 seconds)"],
    ["1", "(Retry-After: 1 second)"],
    ["Wed, 21 Oct 2026 07:28:00 GMT", "(Retry-After: Wed, 21 Oct 2026 07:28:00 GMT)"],
    [undefined, "(it sent no Retry-After)"],
    ["<script>", "(it sent no Retry-After)"],
  ])("%s: names Retry-After where the status is checked", async (after, text) => {
    const { block } = await runBlocks([echo("get"), check("get.response.status", 200)], limited(after))
    expect(block("check").assertions?.[0]?.message).toBe(
      `the server limits the rate of requests ${text}: wait before the next request, or lower --concurrency`,
    )
  })

  it("names it in a warning if nothing checks the status, and not for other statuses", async () => {
    const { report } = await runBlocks([echo("get")], limited("7"))
    expect(report?.warnings?.[0]?.message).toContain("Retry-After: 7 seconds")
    const other = await runBlocks([echo("get")], {
      routes: { "GET /echo": { status: 503, headers: { "retry-after": "7" }, body: {} } },
    })
    expect(other.report?.warnings?.[0]?.message).not.toContain("Retry-After")
  })
})

describe("a credential", () => {
  const secured =
    (scheme: object): NonNullable<ShopOptions["files"]> =>
    (url) => ({
      "apis/shop/openapi.json": {
        openapi: "3.1.0",
        info: { title: "Shop", version: "1" },
        security: [{ token: [] }],
        components: { securitySchemes: { token: scheme } },
        paths: { "/echo": { get: { operationId: "echo", responses: { default: { description: "Any." } } } } },
      },
      "apis/shop/environments/local.json": { baseUrl: url },
    })
  const bearer = { type: "http", scheme: "bearer" }
  const send = (scheme: object, token: string) =>
    runBlocks([request("get", { operation: "echo" })], {
      files: secured(scheme),
      env: { CALLSHEET_VAR__SHOP__TOKEN: token },
    })
  const variable = 'the variable "token" of the API "shop" (CALLSHEET_VAR__SHOP__TOKEN)'

  it.each([
    [
      bearer,
      "Bearer abcd1234",
      `starts with "Bearer Bearer", because ${variable} already contains the scheme`,
    ],
    [bearer, "bearer abcd1234", "already contains the scheme"],
    [bearer, "abcd1234 ", `${variable} starts or ends with a space`],
    [
      { type: "apiKey", in: "query", name: "key" },
      "abcd1234\n",
      `${variable} starts or ends with a line break`,
    ],
    [{ type: "http", scheme: "basic" }, "me:abcd1234\r\n", `${variable} starts or ends with a line break`],
    [{ type: "http", scheme: "basic" }, "abcd1234", `${variable} has no ":"`],
    [{ type: "http", scheme: "Basic" }, "bWU6YWJjZDEyMzQ=", `${variable} has no ":"`],
    [{ type: "http", scheme: "basic" }, "me abcd1234", `${variable} has no ":"`],
  ])("%j with %j: is sent with a warning that names the variable", async (scheme, token, message) => {
    const { report, requests, stdout } = await send(scheme, token)
    expect(requests).toHaveLength(1)
    expect(report?.warnings?.map(({ code, message: text }) => `${code}: ${text}`)).toEqual([
      expect.stringMatching(/^credential-invalid: /),
    ])
    expect(report?.warnings?.[0]?.message).toContain(message)
    expect(stdout).not.toContain("abcd1234")
  })

  it("in a header that the request sets itself is checked, too", async () => {
    const own = request("get", {
      operation: "GET /echo",
      overrides: { params: { header: { authorization: "Bearer {{token}}" } } },
    })
    const { report } = await runBlocks([own], { env: { CALLSHEET_VAR__SHOP__TOKEN: "Bearer abcd1234" } })
    expect(report?.warnings?.[0]?.message).toContain(variable)
  })

  it.each(["abcd1234", "bearerabcd1234"])("%j has no warning", async (token) => {
    const { report } = await send(bearer, token)
    expect(report?.warnings ?? []).toEqual([])
  })

  it.each(["abcd1234\n", "abcd\n1234", "abcd1234\r\n"])(
    "%j in a header fails, and names the header and the variable",
    async (token) => {
      const { block, requests, stdout } = await send(bearer, token)
      expect(requests).toEqual([])
      expect(block("get").error?.message).toContain('the header "authorization" contains a line break')
      expect(block("get").error?.message).toContain(`${variable} contains a line break`)
      expect(stdout).not.toContain("abcd")
    },
  )
})

describe("a missing file of a body", () => {
  it("is named once, without the exchanges before it", async () => {
    const upload = request("upload", { instance: "upload", resource: "orders" })
    const { block, stdout } = await runBlocks([echo("get"), upload], {
      files: () => ({
        "apis/shop/requests/orders/upload.json": {
          version: 1,
          operation: "POST /orders",
          bodyType: "file",
          body: "missing.bin",
          params: { header: { "x-a": "{{get.response.status}}" } },
        },
      }),
    })
    expect(block("upload").error?.message).toBe(
      'the request was not sent: "missing.bin": can\'t read the file: it does not exist',
    )
    expect(stdout.match(/missing\.bin/g)?.length).toBeLessThanOrEqual(2)
  })
})
