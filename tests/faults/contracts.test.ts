// Checks that the contract check reports responses and documents that attack it, and that the run continues (faults.md,
// CV).

import { describe, expect, it } from "vitest"
import { startApi, type Answer } from "../harness/api-server.ts"
import { callsheet } from "../harness/callsheet.ts"
import { request, runBlocks, shopFiles } from "../run/shop-project.ts"

/** Returns a document whose only operation responds with 200 and JSON of the schema. Its lines are known. */
const documentOf = (schema: unknown): string =>
  [
    `{ "openapi": "3.1.0", "info": { "title": "Shop", "version": "1" },`,
    `  "paths": { "/a": { "get": { "operationId": "get", "tags": ["a"], "responses": {`,
    `    "200": { "description": "", "headers": { "X-Total": { "required": true, "schema": {} } },`,
    `      "content": { "application/json": {`,
    `        "schema": ${JSON.stringify(schema)}`,
    `      } } } } } } } }`,
  ].join("\n")

const file = "apis/shop/openapi.json"
const schemaAt = "/paths/~1a/get/responses/200/content/application~1json/schema"

interface Exchange {
  readonly schema?: unknown
  readonly answer: Answer
  readonly words?: readonly string[]
}

/** A workflow that calls the operation and continues after it. */
function run({ schema = {}, answer, words }: Exchange) {
  const route = { ...answer, headers: { "x-total": "1", ...answer.headers } }
  return runBlocks([request("get", { operation: "get" }), request("after", { operation: "get" })], {
    routes: { "/a": route },
    files: () => ({ [file]: documentOf(schema) }),
    workflow: { validateContracts: true, onFailure: "continue" },
    ...(words === undefined ? {} : { words }),
    timeoutMs: 60_000,
  })
}

const json = { "content-type": "application/json" }

describe("the check of a response", () => {
  it.each<
    [
      what: string,
      schema: unknown,
      answer: Answer,
      path: string,
      message: string,
      place: string,
      line: number,
    ]
  >([
    [
      "an undocumented status",
      {},
      { status: 418, body: {} },
      "/status",
      "expected 200 as documented, received 418",
      "/paths/~1a/get/responses",
      2,
    ],
    [
      "another content type",
      {},
      { body: "x" },
      "/headers/content-type",
      "expected application/json, received text/plain; charset=utf-8",
      "/paths/~1a/get/responses/200/content",
      4,
    ],
    [
      "an empty body",
      {},
      {},
      "/body",
      "expected a body (application/json), received none",
      "/paths/~1a/get/responses/200/content",
      4,
    ],
    [
      "a missing header",
      {},
      { body: {}, headers: { "x-total": [] } },
      "/headers/x-total",
      "missing required header",
      "/paths/~1a/get/responses/200/headers/X-Total",
      3,
    ],
    [
      "another type",
      { type: "integer" },
      { body: '"1"', headers: json },
      "/body",
      `expected an integer, received a string: "1"`,
      `${schemaAt}/type`,
      5,
    ],
  ])(
    "names %s with its position in the response and in the document",
    async (_, schema, answer, path, message, place, line) => {
      const { block, exitCode } = await run({ schema, answer })
      expect(block("get").contract).toEqual({
        status: "failed",
        problems: [{ path, message, schema: place, file, line }],
      })
      expect([block("get").error?.code, block("after").status, exitCode]).toEqual([
        "contract-broken",
        "failed",
        1,
      ])
    },
  )

  it("decides a pattern that could backtrack forever", async () => {
    const schema = { pattern: "^(a+)+$" }
    const { block } = await run({
      schema,
      answer: { body: JSON.stringify(`${"a".repeat(50_000)}!`), headers: json },
    })
    expect(block("get").contract?.problems.map(({ message }) => message)).toEqual([
      "expected a match of the pattern ^(a+)+$, received a string of 50001 characters",
    ])
  })

  it("fails the block if a pattern takes too long, and the run continues", async () => {
    const schema = { properties: { code: { pattern: "^(a+)+\\1$" } } }
    const { block, exitCode } = await run({ schema, answer: { body: { code: `${"a".repeat(50_000)}!` } } })
    expect(block("get").contract?.problems).toEqual([
      {
        path: "/body/code",
        message: "the pattern ^(a+)+\\1$ takes too long on a string of 50001 characters",
        schema: `${schemaAt}/properties/code/pattern`,
        file,
        line: 5,
      },
    ])
    expect([block("get").error?.code, block("after").status, exitCode]).toEqual([
      "contract-broken",
      "failed",
      1,
    ])
  })

  it("reports 20 of 30,000 wrong items and counts the rest", async () => {
    const { block } = await run({
      schema: { items: { type: "integer" } },
      answer: { body: Array(30_000).fill("x") },
    })
    const problems = block("get").contract?.problems ?? []
    expect(problems).toHaveLength(21)
    expect(problems.at(-1)).toEqual({ path: "", message: "and 29980 more problems" })
  })

  it("ends quickly with 1,000,000 wrong items and with 20,000 objects that must differ", async () => {
    const wrong = await run({
      schema: { items: { type: "integer" } },
      answer: { body: Array(1_000_000).fill("x") },
    })
    expect(wrong.block("get").contract?.problems.map(({ path }) => path)).toEqual(["/body/0"])
    const items = Array.from({ length: 20_000 }, (_, id) => ({ id, name: "same" }))
    const unique = await run({ schema: { uniqueItems: true }, answer: { body: items } })
    expect(unique.block("get").contract?.status).toBe("passed")
  }, 120_000)

  it("reports where a body stops being JSON", async () => {
    const { block } = await run({
      schema: { type: "object" },
      answer: { body: '{"id": 1, oops}', headers: json },
    })
    expect(block("get").contract?.problems).toEqual([
      {
        path: "/body",
        message: "invalid JSON at character 11",
        schema: schemaAt,
        file,
        line: 5,
      },
    ])
  })

  it.each([
    [`{ "maximum": 9007199254740992 }`, "9007199254740993", false],
    [`{ "maximum": 9007199254740993 }`, "9007199254740993", true],
    [`{ "const": 9007199254740993 }`, "9007199254740992", false],
    [`{ "multipleOf": 0.01 }`, "19.99", true],
    [`{ "multipleOf": 0.01 }`, "4.35", true],
    [`{ "multipleOf": 0.01 }`, "0.015", false],
    [`{ "multipleOf": 0.0001 }`, "1e22", true],
    [`{ "multipleOf": 3 }`, "9007199254740993", true],
    [`{ "type": "integer", "format": "int64" }`, "9223372036854775808", false],
  ])("%s and %s: %s", async (schema, body, isGood) => {
    const text = documentOf("SCHEMA").replace('"SCHEMA"', schema)
    const { block } = await runBlocks([request("get", { operation: "get" })], {
      routes: { "/a": { body, headers: { ...json, "x-total": "1" } } },
      files: () => ({ [file]: text }),
      workflow: { validateContracts: true },
    })
    expect(block("get").contract?.status).toBe(isGood ? "passed" : "failed")
  })

  it("finds an operation named __proto__, and neither of two with the same name", async () => {
    const of = (operationId: string, tag: string) => ({ operationId, tags: [tag], responses: {} })
    const paths = {
      "/a": { get: of("__proto__", "a"), post: of("twice", "Pets") },
      "/b": { get: of("constructor", "b"), post: of("twice", "pets") },
    }
    const document = { openapi: "3.1.0", info: { title: "Shop", version: "1" }, paths }
    const files = () => ({ [file]: document })
    const found = await runBlocks(
      ["__proto__", "constructor"].map((operation, index) => request(`r${index}`, { operation })),
      { files },
    )
    expect(found.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(["GET /a", "GET /b"])
    const names = ["twice", "toString", "hasOwnProperty"]
    const lost = await runBlocks(
      [
        ...names.map((operation) => request(operation, { operation })),
        request("neither", { operation: "twice", resource: "PETS" }),
      ],
      { files },
    )
    expect([lost.exitCode, lost.requests]).toEqual([2, []])
    const both = `in the API "shop", several operations are named "twice": POST /a (Pets); POST /b (pets)`
    expect(lost.run.error?.problems?.map(({ code, message, hint }) => ({ code, message, hint }))).toEqual([
      {
        code: "operation-unknown",
        message: both,
        hint: `set "resource", or write the operation as "METHOD /path"`,
      },
      {
        code: "operation-unknown",
        message: `in the API "shop", the document has no operation "toString"`,
        hint: undefined,
      },
      {
        code: "operation-unknown",
        message: `in the API "shop", the document has no operation "hasOwnProperty"`,
        hint: undefined,
      },
      { code: "operation-unknown", message: both, hint: `write the operation as "METHOD /path"` },
    ])
    expect(({} as { readonly operationId?: string }).operationId).toBeUndefined()
  })

  it("reports in the report and the terminal that there was nothing to check a response against", async () => {
    const api = await startApi({ "*": { body: {} } })
    try {
      const saved = { version: 1, method: "GET", path: "/other" }
      const { "apis/shop/openapi.json": _, ...files } = shopFiles(
        api.url,
        [request("get", { resource: "other", instance: "one" })],
        { validateContracts: true },
      )
      const project = { ...files, "apis/shop/requests/other/one.json": saved }
      const { report } = await callsheet(["run", "w", "--reporter", "json"], { files: project })
      expect(report?.runs[0]?.blocks[0]?.contract).toEqual({ status: "unavailable", problems: [] })
      const { stdout, exitCode } = await callsheet(["run", "w"], { files: project })
      expect(stdout).toContain("contract unavailable")
      expect(exitCode).toBe(0)
    } finally {
      await api.close()
    }
  })

  it("shows no secret that a response echoes, even if it is short, a number or a list item", async () => {
    const variables = {
      baseUrl: { type: "string", required: true },
      pin: { type: "number", required: true, secret: true },
      list: { type: "string", required: true, secret: true },
    }
    const headers = { "X-Total": { schema: { type: "array", items: { type: "integer" } } } }
    const schema = { properties: { pin: { type: "string" }, pins: { items: { maximum: 9 } } } }
    const responses = { 200: { description: "", headers, content: { "application/json": { schema } } } }
    const { block, stdout, stderr } = await runBlocks([request("get", { operation: "get" })], {
      routes: { "/a": { body: { pin: 42, pins: [42] }, headers: { "x-total": "ab,cd" } } },
      files: (url) => ({
        [file]: {
          openapi: "3.1.0",
          info: { title: "Shop", version: "1" },
          paths: { "/a": { get: { operationId: "get", responses } } },
        },
        "apis/shop/environments/schema.json": { version: 1, variables },
        "apis/shop/environments/local.json": { baseUrl: url },
        "apis/shop/environments/local.secrets.env": "pin=42\nlist=ab,cd\n",
      }),
      workflow: { validateContracts: true },
    })
    const problems = block("get").contract?.problems ?? []
    expect(problems.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      "/body/pin: expected a string, received ***",
      "/body/pins/0: expected 9 or less, received ***",
      "/headers/x-total: expected an integer, received ***",
    ])
    expect(block("get").error?.message).toContain("/body/pin: expected a string, received ***, and 2 more")
    expect(stdout + stderr).not.toMatch(/"(?:ab|cd)"|: 42/)
  })

  it("shows in the terminal and in JUnit where the document states the violated rule", async () => {
    const api = await startApi({ "/a": { body: { id: "x" }, headers: { "x-total": "1" } } })
    try {
      const files = {
        ...shopFiles(api.url, [request("get", { operation: "get" })], { validateContracts: true }),
        [file]: documentOf({ properties: { id: { type: "integer" } } }),
      }
      for (const reporter of ["pretty", "junit"]) {
        const { stdout } = await callsheet(["run", "w", "--reporter", reporter], { files })
        expect(stdout).toContain(`documented at ${file}:5`)
      }
    } finally {
      await api.close()
    }
  })
})
