// `callsheet validate --fix` repairs what follows from a change of a document, and changes nothing else.

import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { callsheet } from "../harness/callsheet.ts"
import { change, createRepository, createTestFolder } from "./git-project.ts"

const shop = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  servers: [{ url: "http://127.0.0.1:9" }],
  paths: {
    "/orders": {
      get: {
        operationId: "listOrders",
        parameters: [{ name: "page", in: "query", schema: { type: "integer" } }],
        responses: { 200: { description: "" } },
      },
      post: {
        operationId: "addOrder",
        requestBody: {
          required: true,
          content: { "application/json": { schema: { $ref: "#/components/schemas/NewOrder" } } },
        },
        responses: { 201: { description: "" }, 400: { description: "" } },
      },
    },
    "/orders/{id}": {
      get: {
        operationId: "getOrder",
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        responses: { 200: { description: "" } },
      },
    },
  },
  components: {
    schemas: {
      NewOrder: {
        type: "object",
        additionalProperties: false,
        required: ["sku"],
        properties: {
          sku: { type: "string" },
          note: { type: "string" },
          size: { type: "string" },
          lines: { type: "array", items: { $ref: "#/components/schemas/Line" } },
        },
      },
      Line: {
        type: "object",
        additionalProperties: false,
        required: [],
        properties: { old: { type: "string" }, amount: { type: "integer" } },
      },
    },
  },
}

type Shop = typeof shop
const edited = (edit: (document: Shop) => void): object => {
  const copy = structuredClone(shop)
  edit(copy)
  return copy
}

const send = (id: string, request: object) => ({ id, type: "request", request: { api: "shop", ...request } })
const post = (id: string, body: object) => send(id, { operation: "addOrder", overrides: { body } })
const isStatus = (id: string, value: number) => ({
  id: `check-${id}`,
  type: "assert",
  assertions: [{ source: `${id}.response.status`, operator: "equals", value }],
})

const LIST = send("list", { operation: "listOrders", overrides: { params: { query: { page: "2" } } } })
const GET = send("get", { operation: "getOrder", overrides: { params: { path: { id: "7" } } } })

const workflow = "apis/workflow/flow.json"
const saved = "apis/shop/requests/orders/usual.json"
const USUAL = { version: 1, operation: "addOrder", body: { sku: "A-1", lines: [{ old: "x" }] } }

interface Project {
  readonly blocks: readonly object[]
  readonly usual?: object
  /** The document that the working tree has now. */
  readonly document: object
}

async function createProject({ blocks, usual, document }: Project): Promise<string> {
  const folder = await createRepository({
    "apis/shop/openapi.json": shop,
    [workflow]: { version: 1, blocks },
    ...(usual === undefined ? {} : { [saved]: usual }),
  })
  await change(folder, { "apis/shop/openapi.json": document })
  return folder
}

interface Printed {
  readonly ok: boolean
  readonly problems: readonly { readonly code: string }[]
  readonly fixed: readonly { readonly file: string; readonly line: number; readonly message: string }[]
}

async function fix(folder: string, ...words: readonly string[]) {
  const { exitCode, stdout, stderr } = await callsheet(["validate", "--fix", "--json", ...words], { folder })
  const printed = JSON.parse(stdout) as Printed
  return { exitCode, stderr, ...printed, messages: printed.fixed.map(({ message }) => message) }
}

const textOf = (folder: string, file: string): Promise<string> => readFile(join(folder, file), "utf8")
const readJson = async (folder: string, file: string): Promise<unknown> =>
  JSON.parse(await textOf(folder, file)) as unknown
const blocksOf = async (folder: string): Promise<readonly unknown[]> =>
  ((await readJson(folder, workflow)) as { readonly blocks: readonly unknown[] }).blocks

const requiredSize = edited(({ components: { schemas } }) => {
  schemas.NewOrder.required.push("size")
  Object.assign(schemas.NewOrder.properties.size, { default: "m" })
})

describe("callsheet validate --fix, for a changed document", () => {
  it("renames an operation in blocks and saved requests", async () => {
    const document = edited(({ paths }) => {
      paths["/orders"].get.operationId = "allOrders"
      paths["/orders"].post.operationId = "createOrder"
    })
    const folder = await createProject({ blocks: [LIST, GET], usual: USUAL, document })
    const { exitCode, fixed } = await fix(folder)
    expect(exitCode).toBe(0)
    expect(fixed).toEqual([
      { file: saved, line: 3, message: 'the operation "addOrder" is now "createOrder"' },
      { file: workflow, line: 9, message: 'the operation "listOrders" is now "allOrders"' },
    ])
    expect(await blocksOf(folder)).toEqual([
      { ...LIST, request: { ...LIST.request, operation: "allOrders" } },
      GET,
    ])
    expect(await readJson(folder, saved)).toEqual({ ...USUAL, operation: "createOrder" })
  })

  it("doesn't rename an operation whose old name now means another one", async () => {
    const document = edited(({ paths }) => {
      paths["/orders"].get.operationId = "allOrders"
      paths["/orders/{id}"].get.operationId = "listOrders"
    })
    const folder = await createProject({ blocks: [LIST], document })
    expect((await fix(folder)).messages).toEqual([])
  })

  it("renames a path parameter, and the only query parameter that was replaced", async () => {
    const document = edited(({ paths }) => {
      const { get } = paths["/orders/{id}"]
      Reflect.deleteProperty(paths, "/orders/{id}")
      get.parameters[0]!.name = "order"
      Object.assign(paths, { "/orders/{order}": { get } })
      paths["/orders"].get.parameters[0]!.name = "offset"
    })
    const folder = await createProject({ blocks: [LIST, GET], document })
    const { exitCode, messages } = await fix(folder)
    expect(exitCode).toBe(0)
    expect(messages).toEqual([
      'the query parameter "page" is now "offset"',
      'the path parameter "id" is now "order"',
    ])
    expect(await blocksOf(folder)).toEqual([
      send("list", { operation: "listOrders", overrides: { params: { query: { offset: "2" } } } }),
      send("get", { operation: "getOrder", overrides: { params: { path: { order: "7" } } } }),
    ])
  })

  it.each<readonly [string, (parameters: object[]) => void]>([
    [
      "has another type",
      (parameters) => parameters.splice(0, 1, { name: "mark", in: "query", schema: { type: "string" } }),
    ],
    [
      "is one of two new ones",
      (parameters) =>
        parameters.splice(
          0,
          1,
          { name: "offset", in: "query", schema: { type: "integer" } },
          { name: "start", in: "query", schema: { type: "integer" } },
        ),
    ],
  ])("doesn't rename a query parameter if the new one %s", async (_, edit) => {
    const document = edited(({ paths }) => edit(paths["/orders"].get.parameters))
    const folder = await createProject({ blocks: [LIST], document })
    expect((await fix(folder)).messages).toEqual([])
    expect(await blocksOf(folder)).toEqual([LIST])
  })

  it("adds a required parameter that has an example, but none without a value or with a placeholder", async () => {
    const document = edited(({ paths }) =>
      Object.assign(paths["/orders"].get, {
        parameters: [
          ...paths["/orders"].get.parameters,
          { name: "X-Shop", in: "header", required: true, schema: { type: "string" }, example: "main" },
          { name: "limit", in: "query", required: true, schema: { type: "integer", default: 10 } },
          { name: "open", in: "query", required: true, schema: { type: "string" } },
          { name: "reads", in: "query", required: true, schema: { type: "string", default: "{{shop.key}}" } },
        ],
      }),
    )
    const folder = await createProject({ blocks: [LIST], document })
    const { messages, problems } = await fix(folder)
    expect(messages.toSorted()).toEqual([
      'the operation now requires the header parameter "X-Shop"',
      'the operation now requires the query parameter "limit"',
    ])
    expect(await blocksOf(folder)).toEqual([
      send("list", {
        operation: "listOrders",
        overrides: { params: { query: { page: "2", limit: "10" }, header: { "X-Shop": "main" } } },
      }),
    ])
    expect(problems.map(({ code }) => code)).toEqual(["parameter-missing", "parameter-missing"])
  })

  it("adds a required field where its object is: in overrides, in a saved request, and in items", async () => {
    const document = edited(({ components: { schemas } }) => {
      schemas.NewOrder.required.push("size")
      Object.assign(schemas.NewOrder.properties.size, { default: "m" })
      Object.assign(schemas.Line, { required: ["amount"] })
      Object.assign(schemas.Line.properties.amount, { example: 3 })
    })
    const blocks = [
      post("one", { sku: "A" }),
      post("two", { sku: "A", lines: [{ old: "x" }, { amount: 1 }] }),
      send("three", { instance: "usual", overrides: { body: { note: "n" } } }),
    ]
    const folder = await createProject({ blocks, usual: USUAL, document })
    const { exitCode } = await fix(folder)
    expect(exitCode).toBe(0)
    expect(await blocksOf(folder)).toEqual([
      post("one", { sku: "A", size: "m" }),
      post("two", { sku: "A", size: "m", lines: [{ old: "x", amount: 3 }, { amount: 1 }] }),
      blocks[2],
    ])
    expect(await readJson(folder, saved)).toEqual({
      ...USUAL,
      body: { sku: "A-1", lines: [{ old: "x", amount: 3 }], size: "m" },
    })
  })

  it("removes a field that the schema no longer allows, wherever it is set", async () => {
    const document = edited(({ components: { schemas } }) => {
      Reflect.deleteProperty(schemas.NewOrder.properties, "note")
      Reflect.deleteProperty(schemas.Line.properties, "old")
    })
    const blocks = [
      post("one", { sku: "A", note: "n", "lines[0].old": "x" }),
      send("two", { instance: "usual", overrides: { body: { note: "n" } } }),
    ]
    const folder = await createProject({ blocks, usual: USUAL, document })
    const { exitCode } = await fix(folder)
    expect(exitCode).toBe(0)
    expect(await blocksOf(folder)).toEqual([
      post("one", { sku: "A" }),
      send("two", { instance: "usual", overrides: { body: {} } }),
    ])
    expect(await readJson(folder, saved)).toEqual({ ...USUAL, body: { sku: "A-1", lines: [{}] } })
  })

  it("keeps what a workflow expects to be rejected", async () => {
    const folder = await createProject({
      blocks: [post("bad", { sku: "A" }), isStatus("bad", 400)],
      document: requiredSize,
    })
    expect((await fix(folder)).messages).toEqual([])
  })

  it("keeps every other byte", async () => {
    const text = `\ufeff{ "version":1,\r\n  "blocks":  [ {"id":"list","type":"request",\r\n\t"request": {"api":"shop", "operation":"listOrders"}} ]  }`
    const document = edited(({ paths }) => (paths["/orders"].get.operationId = "allOrders"))
    const folder = await createProject({ blocks: [], document })
    await change(folder, { [workflow]: text })
    expect((await fix(folder)).exitCode).toBe(0)
    expect(await textOf(folder, workflow)).toBe(text.replace("listOrders", "allOrders"))
  })

  it("with --dry-run, shows the diff and what validate says now, and writes nothing", async () => {
    const document = edited(({ paths }) => (paths["/orders"].get.operationId = "allOrders"))
    const folder = await createProject({ blocks: [LIST], document })
    const before = await textOf(folder, workflow)
    const { exitCode, stdout } = await callsheet(["validate", "--fix", "--dry-run"], { folder })
    expect(exitCode).toBe(1)
    expect(stdout).toContain(`--- ${workflow}\n+++ ${workflow}\n@@`)
    expect(stdout).toContain("would fix 1 place in 1 file")
    expect(stdout).toContain("(operation-unknown)")
    expect(await textOf(folder, workflow)).toBe(before)
    expect((await fix(folder, "--dry-run")).fixed).toHaveLength(1)
    expect(await textOf(folder, workflow)).toBe(before)
  })

  it("compares with a commit or a file", async () => {
    const document = edited(({ paths }) => (paths["/orders"].get.operationId = "allOrders"))
    const folder = await createTestFolder({
      "apis/shop/openapi.json": document,
      [workflow]: { version: 1, blocks: [LIST] },
      "old.json": shop,
    })
    const without = await fix(folder)
    expect(without.exitCode).toBe(1)
    expect(without.fixed).toEqual([])
    expect(without.stderr).toContain("changes of documents aren't repaired: ")
    expect((await fix(folder, "--against-file", "old.json")).messages).toEqual([
      'the operation "listOrders" is now "allOrders"',
    ])
    const asked = await callsheet(["validate", "--fix", "--against", "main"], { folder })
    expect(asked.exitCode).toBe(2)
  })

  it("masks secrets in the diff", async () => {
    const secret = "s3cr3t-t0k3n-value"
    const document = edited(({ components: { schemas } }) => {
      schemas.NewOrder.required.push("size")
      Object.assign(schemas.NewOrder.properties.size, { default: secret })
    })
    const folder = await createProject({ blocks: [post("one", { sku: secret })], document })
    await change(folder, {
      "apis/shop/environments/schema.json": {
        version: 1,
        variables: { key: { type: "string", required: false, secret: true } },
      },
      "apis/shop/environments/local.json": {},
      "apis/shop/environments/local.secrets.env": `key=${secret}\n`,
      ".gitignore": "*.secrets.env\n",
    })
    for (const format of ["text", "json", "github", "sarif"]) {
      const words = ["validate", "--fix", "--dry-run", "--format", format]
      const { stdout, stderr } = await callsheet(words, { folder })
      expect(stdout + stderr).not.toContain(secret)
      expect(stdout + stderr).toContain(format === "text" ? '+            "size": "***"' : "size")
    }
  })

  it("needs --fix for its options", async () => {
    const folder = await createProject({ blocks: [LIST], document: shop })
    const { exitCode, stderr } = await callsheet(["validate", "--dry-run"], { folder })
    expect(exitCode).toBe(2)
    expect(stderr).toContain("--dry-run needs --fix")
  })
})

const environments = {
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: {
      baseUrl: { type: "string", required: false },
      apiKey: { type: "string", required: false, secret: true },
    },
  },
  "apis/shop/environments/base.json": {},
}

const misspelled = [
  send("list", { operation: "listOrder", overrides: { params: { query: { Page: "2" } } } }),
  send("saved", { instance: "usually" }),
  send("own", {
    operation: "addOrder",
    overrides: {
      body: {
        SKU: "{{lst.response.status}} {{ lst.response.durationMs }} {{baseUlr}}",
        "lines[0].olds": "x",
      },
    },
  }),
  send("get", { operation: "getOrder", overrides: { params: { path: { Id: "{{env.shop.baseUlr}}" } } } }),
  { id: "copy", type: "transform", transforms: { status: "lst.response.status" } },
  { id: "script", type: "script", script: { name: "check", exportName: "rnu" } },
]

async function createMisspelled(blocks: readonly object[], more: Readonly<Record<string, unknown>> = {}) {
  return createTestFolder({
    "apis/shop/openapi.json": shop,
    [saved]: USUAL,
    ...environments,
    [workflow]: { version: 1, blocks },
    "apis/workflow/scripts/flow/check.ts": "export function run() {}\n",
    ...more,
  })
}

describe("callsheet validate --fix, for a misspelled name", () => {
  it("writes the only similar name: of operations, requests, parameters, fields, blocks, variables and exports", async () => {
    const folder = await createMisspelled(misspelled)
    await fix(folder)
    // What an operation that was unknown sends is checked, and so repaired, the next time.
    const { exitCode, problems } = await fix(folder)
    expect(problems).toEqual([])
    expect(exitCode).toBe(0)
    expect(await blocksOf(folder)).toEqual([
      LIST,
      send("saved", { instance: "usual" }),
      send("own", {
        operation: "addOrder",
        overrides: {
          body: {
            sku: "{{list.response.status}} {{ list.response.durationMs }} {{baseUrl}}",
            "lines[0].old": "x",
          },
        },
      }),
      send("get", {
        operation: "getOrder",
        overrides: { params: { path: { id: "{{env.shop.baseUrl}}" } } },
      }),
      { id: "copy", type: "transform", transforms: { status: "list.response.status" } },
      { id: "script", type: "script", script: { name: "check", exportName: "run" } },
    ])
  })

  it("writes the right name of a variable and of a parent in an environment", async () => {
    const local = "apis/shop/environments/local.json"
    const folder = await createMisspelled([LIST], {
      [local]: { extends: "bse", BaseURL: "http://127.0.0.1:9" },
    })
    expect((await fix(folder)).exitCode).toBe(0)
    expect(await readJson(folder, local)).toEqual({ extends: "base", baseUrl: "http://127.0.0.1:9" })
  })

  it("doesn't touch or print the value of a misspelled secret", async () => {
    const local = "apis/shop/environments/local.json"
    const given = `{\n  "apiKye": "s3cr3t-value-1",\n  "baseUlr": "http://127.0.0.1:9",\n  "apiKeys": "s3cr3t-value-2"\n}\n`
    const folder = await createMisspelled([LIST], { [local]: given })
    const { stdout, stderr } = await callsheet(["validate", "--fix"], { folder })
    expect(stdout).toContain('+  "baseUrl"')
    expect(stdout + stderr).not.toContain("s3cr3t")
    expect(await textOf(folder, local)).toBe(given.replace("baseUlr", "baseUrl"))
  })

  it("writes the right name of a resource, a header, a cookie, a value of an enum, and a property of a response", async () => {
    const document = edited(({ paths, components: { schemas } }) => {
      const json = { schema: { type: "object", properties: { total: { type: "integer" } } } }
      const inHeaders = { "X-Total": { schema: { type: "integer" } } }
      const { get, post: add } = paths["/orders"]
      Object.assign(get, {
        tags: ["orders"],
        parameters: [
          { name: "page", in: "query", schema: { enum: ["first", "last"] } },
          { name: "X-Shop", in: "header", schema: { type: "string" } },
          { name: "theme", in: "cookie", schema: { type: "string" } },
        ],
        responses: { 200: { description: "", headers: inHeaders, content: { "application/json": json } } },
      })
      Object.assign(add, { tags: ["orders"] })
      Object.assign(schemas.NewOrder.properties.size, { enum: ["small", "large"] })
    })
    const given = (resource: string, [query, header, cookie]: readonly [string, string, string]) =>
      send("list", {
        resource,
        operation: "listOrders",
        overrides: {
          params: { query: { page: query }, header: { [header]: "a" }, cookie: { [cookie]: "b" } },
        },
      })
    const read = (property: string, header: string, size: string) => [
      { id: "copy", type: "transform", transforms: { count: `list.response.body.${property}` } },
      post("own", { sku: `{{list.response.body.${property}}} {{list.response.headers.${header}}}`, size }),
    ]
    const folder = await createMisspelled(
      [given("ordrs", ["frist", "X_Shop", "themes"]), ...read("totl", "X-Total", "Small")],
      { "apis/shop/openapi.json": document },
    )
    await fix(folder)
    // The resource of the operation comes first.
    const { exitCode, problems } = await fix(folder)
    expect(problems).toEqual([])
    expect(exitCode).toBe(0)
    expect(await blocksOf(folder)).toEqual([
      given("orders", ["first", "X-Shop", "theme"]),
      ...read("total", "x-total", "small"),
    ])
  })

  it("keeps a header or cookie that only resembles a documented one, or is beside it", async () => {
    const document = edited(({ paths }) =>
      Object.assign(paths["/orders"].get, {
        parameters: [
          { name: "X-Shop-1", in: "header", schema: { type: "string" } },
          { name: "X-Tenant", in: "header", schema: { type: "string" } },
          { name: "theme", in: "cookie", schema: { type: "string" } },
        ],
      }),
    )
    const header = { "X-Shop-2": "a", "X-Tenants": "b", "x-tenant": "c", "X-Request-Id": "d" }
    const blocks = [
      send("list", { operation: "listOrders", overrides: { params: { header, cookie: { theses: "x" } } } }),
    ]
    const folder = await createMisspelled(blocks, { "apis/shop/openapi.json": document })
    const { problems, messages } = await fix(folder)
    expect(problems).toEqual([])
    expect(messages).toEqual([])
  })

  it("writes the right field of the format and the right value of it", async () => {
    const folder = await createMisspelled([
      { id: "list", type: "requst", request: { api: "shop", operation: "listOrders" } },
      { id: "each", type: "loop", mode: "times", count: 2, blocks: [LIST], DelayMs: 5 },
    ])
    expect((await fix(folder)).messages).toEqual([
      '"requst" is unknown; only "request" can be meant',
      '"DelayMs" is unknown; only "delayMs" can be meant',
    ])
    expect(await textOf(folder, workflow)).toContain('"delayMs": 5')
  })

  it("writes the right names in callsheet.json", async () => {
    const settings = (names: readonly string[]) => {
      const [reporter, api, environment, flow, suiteFlow, input, block, helper] = names
      return {
        version: 1,
        defaults: { reporters: [`${reporter}=out.xml`], env: { [api!]: environment } },
        helpers: [helper],
        suites: {
          nightly: {
            before: [{ workflow: "sign-in", as: "first" }],
            workflows: [{ workflow: flow, inputs: { [input!]: `{{first.${block}.response.status}}` } }],
          },
          smoke: { workflows: [suiteFlow] },
        },
      }
    }
    const folder = await createMisspelled([LIST], {
      [workflow]: { version: 1, inputs: { status: { type: "number" } }, blocks: [LIST] },
      "apis/workflow/sign-in.json": { version: 1, blocks: [LIST] },
      "apis/workflow/reset-all.json": { version: 1, blocks: [LIST] },
      "apis/shop/environments/local.json": { extends: "base" },
      "callsheet.json": settings(["Junit", "shp", "locl", "fow", "sign-ni", "Status", "lst", "reset-al"]),
    })
    // A file with broken settings, and names in entries that don't exist, are checked further the next time.
    for (let times = 0; times < 3; times++) await fix(folder)
    expect(await readJson(folder, "callsheet.json")).toEqual(
      settings(["junit", "shop", "local", "flow", "sign-in", "status", "list", "reset-all"]),
    )
    expect((await fix(folder)).problems).toEqual([])
  })

  it.each<readonly [string, object]>([
    ["two names are as close", post("own", { sku: "{{item3}}" })],
    ["the right name is also there", post("own", { sku: "A", skuu: "B" })],
  ])("changes nothing if %s", async (_, block) => {
    const blocks = [{ ...LIST, id: "item1" }, { ...LIST, id: "item2" }, block]
    const folder = await createMisspelled(blocks)
    expect((await fix(folder)).messages).toEqual([])
    expect(await blocksOf(folder)).toEqual(blocks)
  })

  it("never changes an assertion", async () => {
    const block = {
      id: "check",
      type: "assert",
      assertions: [{ source: "lst.response.status", operator: "equals", value: "{{lst.response.status}}" }],
    }
    const folder = await createMisspelled([LIST, block])
    const { exitCode, messages } = await fix(folder)
    expect(exitCode).toBe(1)
    expect(messages).toEqual([])
    expect(await blocksOf(folder)).toEqual([LIST, block])
  })

  it("repairs the other names of a file whose operation the document renamed", async () => {
    const document = edited(({ paths }) => (paths["/orders"].get.operationId = "listOrder"))
    const folder = await createProject({ blocks: [LIST, post("own", { SKU: "A" })], document })
    expect((await fix(folder)).messages).toEqual([
      'the operation "listOrders" is now "listOrder"',
      '"SKU" is unknown; only "sku" can be meant',
    ])
  })
})
