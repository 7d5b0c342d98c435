// Documents that are large, hostile, or change while they are used.

import { writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, createFolder } from "../harness/callsheet.ts"
import { request, runBlocks, shopFiles } from "../run/shop-project.ts"

const json = { "content-type": "application/json" }

/** Returns a YAML document whose only operation responds with JSON of the schema. */
const yamlOf = (schema: string, before = ""): string => `openapi: 3.1.0
info: { title: Shop, version: "1" }
${before}
paths:
  /a:
    get:
      operationId: get
      responses:
        200:
          description: Any.
          content:
            application/json:
              schema: ${schema}
`

/** Runs the only operation of a YAML document. */
async function runYaml(text: string, body: unknown) {
  const api = await startApi({ "/a": { headers: json, body: JSON.stringify(body) } })
  try {
    const { "apis/shop/openapi.json": _, ...files } = shopFiles(
      api.url,
      [request("get", { operation: "get" })],
      {
        validateContracts: true,
      },
    )
    const project = { ...files, "apis/shop/openapi.yaml": text }
    const result = await callsheet(["run", "w", "--reporter", "json"], { files: project, timeoutMs: 60_000 })
    return { ...result, block: result.report?.runs[0]?.blocks[0], requests: api.requests.length }
  } finally {
    await api.close()
  }
}

describe("documents that are hard to read", () => {
  it("checks a response against one of many operations, in a document of megabytes", async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [
        `/items${index}`,
        {
          get: {
            operationId: `get${index}`,
            summary: "Says much of little. ".repeat(20),
            responses: {
              200: {
                description: "An item. ".repeat(20),
                content: { "application/json": { schema: { properties: { id: { type: "integer" } } } } },
              },
            },
          },
        },
      ]),
    )
    const document = { openapi: "3.1.0", info: { title: "Shop", version: "1" }, paths }
    const text = JSON.stringify(document, null, 2)
    expect(text.length).toBeGreaterThan(4_000_000)
    const { block } = await runBlocks([request("get", { operation: "get4999" })], {
      routes: { "/items4999": { body: { id: "x" } } },
      files: () => ({ "apis/shop/openapi.json": text }),
      workflow: { validateContracts: true },
      timeoutMs: 60_000,
    })
    const line = text.slice(0, text.lastIndexOf('"integer"')).split("\n").length
    expect(block("get").contract?.problems).toMatchObject([
      { path: "/body/id", message: `expected an integer, received a string: "x"`, line },
    ])
  })

  const laughs = (levels: number) =>
    [
      "x-0: &x0 { type: object, properties: { id: { type: integer } } }",
      ...Array.from({ length: levels }, (_, level) => {
        const inner = Array.from({ length: 10 }, (_, key) => `k${key}: *x${level}`).join(", ")
        return `x-${level + 1}: &x${level + 1} { type: object, properties: { ${inner} } }`
      }),
    ].join("\n")

  it.each([
    ["aliases of aliases of aliases", yamlOf("*x9", laughs(9)), "4:44: the aliases expand to too much data"],
    [
      "an alias inside its own anchor",
      yamlOf("&self { properties: { self: *self } }"),
      "13:51: an alias is inside the anchor that it refers to",
    ],
    [
      "a tag that creates a function",
      yamlOf(`!!js/function "function () { process.exit(0) }"`),
      "13:23: unknown scalar tag !<tag:yaml.org,2002:js/function>",
    ],
    [
      "a tag that creates an object of another language",
      yamlOf("!!python/object:os.system { a: b }"),
      "13:23: unknown mapping tag !<tag:yaml.org,2002:python/object:os.system>",
    ],
    ["a duplicate key", yamlOf("{ type: object, type: array }"), "13:39: duplicate key"],
  ])("rejects %s at its position, before anything is sent", async (_, text, problem) => {
    const { exitCode, stderr, report, requests } = await runYaml(text, {})
    expect([exitCode, requests]).toEqual([2, 0])
    expect(stderr + JSON.stringify(report?.runs[0]?.error)).toContain(problem)
  })

  it("ends quickly if a few aliases expand to a large schema", async () => {
    const { block } = await runYaml(yamlOf("*x3", laughs(3)), { k0: { k1: { k2: { id: "x" } } } })
    expect(block?.contract?.problems.map(({ path }) => path)).toEqual(["/body/k0/k1/k2/id"])
  })

  it("ends quickly if schemas form a large cycle", async () => {
    const size = 700
    const schemas = Object.fromEntries(
      Array.from({ length: size }, (_, at) => [
        `S${at}`,
        {
          allOf: [{ $ref: `#/components/schemas/S${(at + 1) % size}` }],
          properties: { [`p${at}`]: { $ref: `#/components/schemas/S${(at * 7) % size}` } },
        },
      ]),
    )
    const content = { "application/json": { schema: { $ref: "#/components/schemas/S0" } } }
    const get = { operationId: "get", responses: { 200: { description: "Any.", content } } }
    const document = { openapi: "3.0.3", info: { title: "S", version: "1" }, paths: { "/a": { get } } }
    const { block } = await runBlocks([request("get", { operation: "get" })], {
      routes: { "/a": { body: { p0: { p1: 1 } } } },
      files: () => ({ "apis/shop/openapi.json": { ...document, components: { schemas } } }),
      workflow: { validateContracts: true },
      timeoutMs: 60_000,
    })
    expect(block("get").contract?.status).toBe("failed")
  })

  it("reports the line of a duplicate key in JSON", async () => {
    const text = '{\n  "openapi": "3.1.0",\n  "paths": {},\n  "paths": {}\n}'
    const files = { ...shopFiles("http://127.0.0.1:9", []), "apis/shop/openapi.json": text }
    const { stdout, stderr, exitCode } = await callsheet(["validate"], { files })
    expect(stdout + stderr).toContain("apis/shop/openapi.json:4:3: ")
    expect(exitCode).toBe(1)
  })

  it("reads as text what older YAML reads as booleans, times and numbers", async () => {
    const words = ["NO", "off", "y", "12:30:45", "2026-01-02", "0o", "1_000", ".inf."]
    const properties = words.map((word, index) => `p${index}: { enum: [other, ${word}] }`)
    const text = yamlOf(`{ properties: { ${properties.join(", ")} } }`)
    const bodyOf = (value: (word: string) => unknown) =>
      Object.fromEntries(words.map((word, index) => [`p${index}`, value(word)]))
    const good = await runYaml(
      text,
      bodyOf((word) => word),
    )
    expect(good.block?.contract).toEqual({ status: "passed", problems: [] })
    const bad = await runYaml(
      text,
      bodyOf(() => false),
    )
    expect(bad.block?.contract?.problems).toHaveLength(words.length)
  })
})

describe("a document that changes during a run", () => {
  const folders: string[] = []
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
  })

  const documentOf = (type: string) => ({
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    paths: {
      "/a": {
        get: {
          operationId: "get",
          responses: { 200: { description: "", content: { "application/json": { schema: { type } } } } },
        },
      },
    },
  })

  it.each([
    ["has other content", JSON.stringify(documentOf("string"))],
    ["is cut", `{ "openapi": `],
  ])("checks responses against the document as read at the start, when it %s", async (_, content) => {
    let folder = ""
    const api = await startApi({
      "/a": () => {
        writeFileSync(join(folder, "apis/shop/openapi.json"), content)
        return { headers: json, body: "1" }
      },
    })
    try {
      const blocks = [request("first", { operation: "get" }), request("second", { operation: "get" })]
      const files = shopFiles(api.url, blocks, { validateContracts: true })
      folder = await createFolder({ ...files, "apis/shop/openapi.json": documentOf("integer") })
      folders.push(folder)
      const { report, exitCode } = await callsheet(["run", "w", "--reporter", "json"], { folder })
      const contracts = report?.runs[0]?.blocks.map(({ contract }) => contract?.status)
      expect([contracts, exitCode]).toEqual([["passed", "passed"], 0])
    } finally {
      await api.close()
    }
  })

  it("checks responses against the document's other files as they were at the start", async () => {
    let folder = ""
    const api = await startApi({
      "/a": () => {
        writeFileSync(join(folder, "apis/shop/answer.json"), `{"type": "string"}`)
        return { headers: json, body: "1" }
      },
    })
    try {
      const files = shopFiles(api.url, [request("get", { operation: "get" })], { validateContracts: true })
      const whole = JSON.stringify(documentOf("integer"))
      folder = await createFolder({
        ...files,
        "apis/shop/openapi.json": whole.replace(`{"type":"integer"}`, `{"$ref":"answer.json"}`),
        "apis/shop/answer.json": { type: "integer" },
      })
      folders.push(folder)
      const { report, exitCode } = await callsheet(["run", "w", "--reporter", "json"], { folder })
      expect([report?.runs[0]?.blocks[0]?.contract?.status, exitCode]).toEqual(["passed", 0])
    } finally {
      await api.close()
    }
  })
})
