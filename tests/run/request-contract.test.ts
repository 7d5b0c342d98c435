// Contract violations of requests: shown everywhere, but never a failure.

import { describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet } from "../harness/callsheet.ts"
import { request, runBlocks, shopFiles, type ShopOptions } from "./shop-project.ts"

const file = "apis/shop/openapi.json"

/** The tests expect each line at its number. */
const document = [
  `{ "openapi": "3.0.3", "info": { "title": "Shop", "version": "1" },`,
  `  "paths": { "/echo": {`,
  `    "get": { "operationId": "get", "responses": { "default": { "description": "" } }, "parameters": [`,
  `      { "name": "limit", "in": "query", "schema": { "type": "integer" } },`,
  `      { "name": "X-Pin", "in": "header", "schema": { "type": "integer", "maximum": 9 } },`,
  `      { "name": "sid", "in": "cookie", "required": true, "schema": { "type": "string" } },`,
  `      { "name": "User-Agent", "in": "header", "required": true, "schema": { "type": "string" } } ] },`,
  `    "post": { "operationId": "post", "responses": { "default": { "description": "" } },`,
  `      "requestBody": { "required": true, "content": { "application/json": { "schema": {`,
  `        "type": "object", "required": ["id", "sku"], "properties": {`,
  `          "id": { "type": "integer", "readOnly": true },`,
  `          "sku": { "type": "string", "maxLength": 3 } } } } } } } } } }`,
].join("\n")

const inQuery = (limit: string) => ({ params: { query: { limit } } })
const withCookie = { params: { cookie: { sid: "1" } } }

function run(blocks: readonly unknown[], options: ShopOptions = {}) {
  return runBlocks(blocks, {
    ...options,
    workflow: { validateContracts: true, onFailure: "continue", ...options.workflow },
    files: (url) => ({ [file]: document, ...options.files?.(url) }),
  })
}

describe("a request that violates its contract", () => {
  it("is still sent, and the report says where", async () => {
    const wrong = { id: 7, sku: "long" }
    const {
      block,
      run: whole,
      exitCode,
      requests,
    } = await run([request("new", { operation: "post", overrides: { body: wrong } })])
    expect(block("new")).toMatchObject({ status: "passed", contract: { status: "passed", problems: [] } })
    const at = "/paths/~1echo/post/requestBody/content/application~1json/schema/properties"
    expect(block("new").requestProblems).toEqual([
      {
        path: "/body/id",
        message: "expected nothing (the property is read-only), received a number: 7",
        schema: `${at}/id/readOnly`,
        file,
        line: 11,
      },
      {
        path: "/body/sku",
        message: `expected 3 characters or less, received "long"`,
        schema: `${at}/sku/maxLength`,
        file,
        line: 12,
      },
    ])
    expect([whole.status, exitCode, requests.map(({ json }) => json)]).toEqual(["passed", 0, [wrong]])
  })

  it("reports nothing for a valid one, for added defaults and for a cookie from the jar", async () => {
    const { block } = await run(
      [
        request("sign-in", { operation: "post", overrides: { body: { sku: "a" } } }),
        request("get", { operation: "get" }),
      ],
      { routes: { "POST /echo": { headers: { "set-cookie": "sid=1; Path=/" } } } },
    )
    expect(block("sign-in")).not.toHaveProperty("requestProblems")
    expect(block("get")).not.toHaveProperty("requestProblems")
  })

  it("reports a missing cookie", async () => {
    const { block } = await run([request("get", { operation: "get" })])
    expect(block("get").requestProblems).toEqual([
      {
        path: "/cookies/sid",
        message: `GET /echo requires the cookie "sid"`,
        schema: "/paths/~1echo/get/parameters/2",
        file,
        line: 6,
      },
    ])
  })

  it("is checked only if the workflow validates contracts", async () => {
    const { block } = await run([request("get", { operation: "get", overrides: inQuery("x") })], {
      workflow: { validateContracts: false },
    })
    expect(block("get")).not.toHaveProperty("requestProblems")
  })

  it("is reported without a response, and if no request could be sent", async () => {
    const get = (id: string, more: object) =>
      request(id, { operation: "get", overrides: { ...inQuery("x"), ...more } })
    const words = ["--timeout", "300"]
    const silent = await run([get("late", {})], { words, routes: { "GET /echo": () => undefined } })
    expect(silent.block("late").error?.code).toBe("request-timeout")
    expect(silent.block("late").requestProblems?.map(({ path }) => path)).toEqual([
      "/cookies/sid",
      "/query/limit",
    ])
    const dead = await run([get("dead", {})], {
      files: () => ({ "apis/shop/environments/local.json": { baseUrl: "http://127.0.0.1:9" } }),
    })
    expect(dead.block("dead").error?.code).toBe("request-failed")
    expect(dead.block("dead").requestProblems?.map(({ path }) => path)).toContain("/query/limit")
  })

  it("is reported for every iteration, by what that one sent", async () => {
    const { run: whole } = await run([
      {
        id: "all",
        type: "loop",
        mode: "times",
        count: 3,
        iteratorVar: "i",
        blocks: [
          request("varying-{{i}}", {
            operation: "get",
            overrides: { params: { query: { limit: "{{i}}.5" }, ...withCookie.params } },
          }),
          request("same-{{i}}", {
            operation: "get",
            overrides: { params: { query: { limit: "x" }, ...withCookie.params } },
          }),
        ],
      },
    ])
    const reported = whole.blocks[0]!.iterations!.flatMap(({ blocks }) =>
      blocks.map(({ requestProblems = [] }) => requestProblems.map(({ message }) => message)),
    )
    const same = [`expected an integer, received a string: "x"`]
    expect(reported).toEqual(
      [0, 1, 2].flatMap((i) => [[`expected an integer, received a number: ${i}.5`], same]),
    )
  })

  it("contains no secret, even a short one or a number", async () => {
    const schema = {
      version: 1,
      variables: {
        baseUrl: { type: "string", required: true },
        pin: { type: "number", required: true, secret: true },
        word: { type: "string", required: true, secret: true },
        long: { type: "string", required: true, secret: true },
      },
    }
    const secrets = "pin=42\nword=abc\nlong=s3cr3t-w0rd\n"
    const { block, stdout, stderr } = await run(
      [
        request("get", {
          operation: "get",
          overrides: {
            params: { query: { limit: "{{word}}", "s3cr3t-w0rd": "1" }, header: { "X-Pin": "{{pin}}" } },
          },
        }),
        request("new", {
          operation: "post",
          overrides: { body: { sku: "{{long}}", id: "{{pin}}", "s3cr3t-w0rd": 1 } },
        }),
      ],
      {
        files: (url) => ({
          "apis/shop/environments/schema.json": schema,
          "apis/shop/environments/local.json": { baseUrl: url },
          "apis/shop/environments/local.secrets.env": secrets,
        }),
      },
    )
    const reported = [...block("get").requestProblems!, ...block("new").requestProblems!]
    expect(reported.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      `/cookies/sid: GET /echo requires the cookie "sid"`,
      `/query/***: GET /echo doesn't document a query parameter "***"`,
      "/query/limit: expected an integer, received ***",
      "/headers/X-Pin: expected 9 or less, received ***",
      "/body/id: expected nothing (the property is read-only), received ***",
      "/body/sku: expected 3 characters or less, received ***",
    ])
    for (const secret of ["42", "abc", "s3cr3t"])
      expect(JSON.stringify(reported) + stderr).not.toContain(secret)
    expect(stdout).not.toContain("s3cr3t")
  })
})

describe("the terminal", () => {
  it("warns below the block, and the command exits with 0", async () => {
    const api = await startApi({ "*": { body: {} } })
    try {
      const blocks = [
        request("get", {
          operation: "get",
          overrides: { params: { query: { limit: "x", limt: "1" }, ...withCookie.params } },
        }),
      ]
      const files = { ...shopFiles(api.url, blocks, { validateContracts: true }), [file]: document }
      const { exitCode, stdout } = await callsheet(["run", "w"], { files })
      expect(exitCode).toBe(0)
      expect(stdout.replaceAll(/\d+ ms/g, "1 ms")).toContain(
        [
          "  ✓ get                         GET /echo?limit=x&limt=1  200  1 ms",
          `    ! request /query/limt: GET /echo doesn't document a query parameter "limt"; did you mean "limit"?  ${file}:3`,
          `    ! request /query/limit: expected an integer, received a string: "x"  ${file}:4`,
          "✓ w passed  1 passed",
        ].join("\n"),
      )
    } finally {
      await api.close()
    }
  })
})
