// `callsheet impact` names the blocks that a change of a document breaks, and only those.

import { describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet } from "../harness/callsheet.ts"
import { change, createRepository, createTestFolder, git } from "./git-project.ts"

const json = (schema: object) => ({ content: { "application/json": { schema } } })
const body = (schema: object) => ({ description: "", ...json(schema) })
const id = { name: "id", in: "path", required: true, schema: { type: "string" } }

const order = {
  type: "object",
  required: ["id", "status", "total"],
  properties: {
    id: { type: "string" },
    status: { type: "string", enum: ["open", "closed"] },
    total: { type: "number" },
    note: { type: "string" },
    lines: { type: "array", items: { type: "object", properties: { sku: { type: "string" } } } },
  },
}

const added = {
  type: "object",
  required: ["sku"],
  properties: {
    sku: { type: "string" },
    size: { type: "string", enum: ["s", "m", "l"] },
    amount: { type: "integer" },
  },
}

const shop = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/orders": {
      get: {
        operationId: "listOrders",
        parameters: [
          { name: "page", in: "query", schema: { type: "integer" } },
          { name: "sort", in: "query", schema: { type: "string" } },
        ],
        responses: { 200: body({ type: "array", items: { $ref: "#/components/schemas/Order" } }) },
      },
      post: {
        operationId: "addOrder",
        requestBody: { required: true, ...json({ $ref: "#/components/schemas/NewOrder" }) },
        responses: { 201: body({ $ref: "#/components/schemas/Order" }), 400: { description: "" } },
      },
    },
    "/orders/{id}": {
      get: {
        operationId: "getOrder",
        parameters: [id],
        responses: { 200: body({ $ref: "#/components/schemas/Order" }) },
      },
      delete: { operationId: "deleteOrder", parameters: [id], responses: { 204: { description: "" } } },
    },
    "/spare": { get: { operationId: "spare", responses: { 200: body(order) } } },
  },
  components: { schemas: { Order: order, NewOrder: added } },
}

const workflow = {
  version: 1,
  blocks: [
    {
      id: "list",
      type: "request",
      request: { api: "shop", operation: "listOrders", overrides: { params: { query: { page: "2" } } } },
    },
    {
      id: "each",
      type: "loop",
      mode: "forEach",
      source: "list.response.body",
      iteratorVar: "one",
      blocks: [{ id: "names", type: "transform", transforms: { sku: "one.lines.0.sku" } }],
    },
    {
      id: "add",
      type: "request",
      request: { api: "shop", instance: "usual", overrides: { body: { size: "s" } } },
    },
    { id: "copy", type: "transform", transforms: { order: "add.response.body" } },
    {
      id: "check",
      type: "assert",
      assertions: [
        { source: "add.response.status", operator: "equals", value: 201 },
        { source: "copy.order.status", operator: "equals", value: "open" },
        { source: "add.response.body.note", operator: "exists" },
      ],
    },
    {
      id: "get",
      type: "request",
      request: {
        api: "shop",
        operation: "getOrder",
        overrides: { params: { path: { id: "{{add.response.body.id}}" } } },
      },
    },
    { id: "sum", type: "script", script: { name: "sum", exportName: "run" } },
  ],
}

const files = {
  "apis/shop/openapi.json": shop,
  "apis/shop/requests/orders/usual.json": {
    version: 1,
    operation: "addOrder",
    body: { sku: "A-1", amount: 1 },
  },
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: {
      baseUrl: { type: "string", required: true },
      apiKey: { type: "string", required: false, secret: true },
    },
  },
  "apis/shop/environments/local.json": { baseUrl: "http://127.0.0.1:9" },
  "apis/workflow/flow.json": workflow,
  "apis/workflow/scripts/flow/sum.ts":
    'import type { ScriptContext } from "@callsheet/sdk"\n\nexport function run(ctx: ScriptContext) {\n  return ctx.get<number>("get.response.body.total")\n}',
}

interface Printed {
  readonly changes: readonly {
    readonly kind: string
    readonly operation: string
    readonly side: string
    readonly path: string
    readonly class: string
    readonly message: string
    readonly before?: { readonly file: string; readonly line: number }
    readonly after?: { readonly file: string; readonly line: number }
    readonly uses: readonly { readonly block: string; readonly file: string; readonly line: number }[]
  }[]
  readonly violations?: readonly Readonly<Record<string, unknown>>[]
  readonly counts: Readonly<Record<"breaks" | "unused" | "compatible", number>>
}

async function impact(folder: string, ...words: readonly string[]) {
  const { exitCode, stdout, stderr } = await callsheet(["impact", "--json", ...words], { folder })
  const printed = exitCode === 2 ? undefined : (JSON.parse(stdout) as Printed)
  const lines = (printed?.changes ?? []).map(({ kind, operation, path, class: is, uses }) => {
    const places = uses.map(({ block, file }) => `${block} ${file.replace(/^.*\//, "")}`)
    return [is, kind, operation, path, ...places].filter((text) => text !== "").join(" | ")
  })
  return { exitCode, printed, lines, stderr }
}

type Edit = (document: typeof shop & { security?: unknown }) => void
const schemas = ({ components }: typeof shop) => components.schemas
const edited = (edit: Edit): object => {
  const copy = structuredClone(shop)
  edit(copy)
  return copy
}

const remove = (object: object, name: string): void => void Reflect.deleteProperty(object, name)

describe("callsheet impact", () => {
  it.each<readonly [string, Edit, readonly string[]]>([
    ["nothing", () => undefined, []],
    ["other words", ({ info }) => (info.title = "Other"), []],
    [
      "a removed operation",
      ({ paths }) => remove(paths["/orders/{id}"], "get"),
      ["breaks | operation-removed | GET /orders/{id} | get flow.json"],
    ],
    [
      "a removed operation that nothing sends",
      ({ paths }) => remove(paths["/orders/{id}"], "delete"),
      ["unused | operation-removed | DELETE /orders/{id}"],
    ],
    [
      "another operationId",
      ({ paths }) => (paths["/orders"].get.operationId = "allOrders"),
      ["breaks | operation-renamed | GET /orders | list flow.json"],
    ],
    [
      "another operationId that a saved request names",
      ({ paths }) => (paths["/orders"].post.operationId = "createOrder"),
      ["breaks | operation-renamed | POST /orders | add usual.json"],
    ],
    [
      "a required parameter",
      ({ paths }) =>
        void paths["/orders"].get.parameters.push({
          name: "shop",
          in: "query",
          required: true,
          schema: { type: "string" },
        } as never),
      ["breaks | parameter-added | GET /orders | /query/shop | list flow.json"],
    ],
    [
      "an optional parameter",
      ({ paths }) =>
        void paths["/orders"].get.parameters.push({ name: "shop", in: "query", schema: { type: "string" } }),
      ["compatible | parameter-added | GET /orders | /query/shop"],
    ],
    [
      "a parameter that is now required, and given",
      ({ paths }) => void Object.assign(paths["/orders"].get.parameters[0]!, { required: true }),
      ["compatible | parameter-required | GET /orders | /query/page"],
    ],
    [
      "a removed parameter that is given, and one that isn't",
      ({ paths }) => void paths["/orders"].get.parameters.splice(0),
      [
        "breaks | parameter-removed | GET /orders | /query/page | list flow.json",
        "unused | parameter-removed | GET /orders | /query/sort",
      ],
    ],
    [
      "a limit that the given value keeps",
      ({ paths }) => void Object.assign(paths["/orders"].get.parameters[0]!.schema, { maximum: 5 }),
      ["compatible | limit-changed | GET /orders | /query/page"],
    ],
    [
      "a limit that it exceeds",
      ({ paths }) => void Object.assign(paths["/orders"].get.parameters[0]!.schema, { maximum: 1 }),
      ["breaks | limit-changed | GET /orders | /query/page | list flow.json"],
    ],
    [
      "a required property of the body",
      (document) => {
        schemas(document).NewOrder.required.push("color")
        Object.assign(schemas(document).NewOrder.properties, { color: { type: "string" } })
      },
      ["breaks | property-added | POST /orders | /body/color | add flow.json"],
    ],
    [
      "a required property that the saved request has",
      (document) => void schemas(document).NewOrder.required.push("amount"),
      ["compatible | property-required | POST /orders | /body/amount"],
    ],
    [
      "a removed enum value that an override sends",
      (document) => void schemas(document).NewOrder.properties.size.enum.shift(),
      ["breaks | enum-changed | POST /orders | /body/size | add flow.json"],
    ],
    [
      "a removed enum value that nothing sends",
      (document) => void schemas(document).NewOrder.properties.size.enum.pop(),
      ["compatible | enum-changed | POST /orders | /body/size"],
    ],
    [
      "another type of a saved value",
      (document) => (schemas(document).NewOrder.properties.amount.type = "string"),
      ["breaks | type-changed | POST /orders | /body/amount | add usual.json"],
    ],
    [
      "a removed property that an assertion reads through a transform, and one that a script reads",
      (document) => {
        const { Order } = schemas(document)
        Order.required = ["id"]
        remove(Order.properties, "status")
        remove(Order.properties, "total")
      },
      [
        "unused | property-removed | GET /orders | /body/*/status",
        "unused | property-removed | GET /orders | /body/*/total",
        "breaks | property-removed | POST /orders | /body/status | check flow.json",
        "unused | property-removed | POST /orders | /body/total",
        "unused | property-removed | GET /orders/{id} | /body/status",
        "breaks | property-removed | GET /orders/{id} | /body/total | sum sum.ts",
      ],
    ],
    [
      "a removed property that a loop's block reads",
      (document) => remove(schemas(document).Order.properties.lines.items.properties, "sku"),
      [
        "breaks | property-removed | GET /orders | /body/*/lines/*/sku | names flow.json",
        "unused | property-removed | POST /orders | /body/lines/*/sku",
        "unused | property-removed | GET /orders/{id} | /body/lines/*/sku",
      ],
    ],
    [
      "a new value of an enum that an assertion compares",
      (document) => void schemas(document).Order.properties.status.enum.push("lost"),
      [
        "unused | enum-changed | GET /orders | /body/*/status",
        "breaks | enum-changed | POST /orders | /body/status | check flow.json",
        "unused | enum-changed | GET /orders/{id} | /body/status",
      ],
    ],
    [
      "a nullable property that is only asked to exist",
      (document) => void Object.assign(schemas(document).Order.properties.note, { type: ["string", "null"] }),
      [
        "unused | nullable-changed | GET /orders | /body/*/note",
        "compatible | nullable-changed | POST /orders | /body/note",
        "unused | nullable-changed | GET /orders/{id} | /body/note",
      ],
    ],
    [
      "a status that an assertion expects",
      ({ paths }) => {
        Object.assign(paths["/orders"].post.responses, { 202: paths["/orders"].post.responses[201] })
        remove(paths["/orders"].post.responses, "201")
      },
      [
        "unused | status-added | POST /orders | /status",
        "breaks | status-removed | POST /orders | /status | check flow.json",
      ],
    ],
    [
      "another name of a path parameter",
      ({ paths }) => {
        const item = paths["/orders/{id}"]
        Object.assign(paths, {
          "/orders/{key}": { get: { ...item.get, parameters: [{ ...id, name: "key" }] } },
        })
        remove(paths, "/orders/{id}")
      },
      [
        "breaks | parameter-renamed | GET /orders/{key} | /path/key | get flow.json",
        "unused | operation-removed | DELETE /orders/{id}",
      ],
    ],
  ])("judges %s", async (_, edit, expected) => {
    const folder = await createRepository(files)
    await change(folder, { "apis/shop/openapi.json": edited(edit) })
    const { lines, exitCode } = await impact(folder)
    expect(lines.filter((line) => !line.includes("/spare")).toSorted()).toEqual([...expected].toSorted())
    expect(exitCode).toBe(expected.some((line) => line.startsWith("breaks")) ? 1 : 0)
  })

  it("judges what inputs are given by default, in suites and in data files", async () => {
    const sized = {
      version: 1,
      inputs: { size: { type: "string", default: "m" } },
      blocks: [
        {
          id: "send",
          type: "request",
          request: {
            api: "shop",
            operation: "addOrder",
            overrides: { body: { sku: "A-1", size: "{{size}}" } },
          },
        },
      ],
    }
    const folder = await createRepository({
      "apis/shop/openapi.json": shop,
      "apis/workflow/sized.json": sized,
      "rows/sizes.csv": "size\ns\nl\n",
      "callsheet.json": {
        version: 1,
        suites: {
          all: {
            workflows: [
              { workflow: "sized", data: "rows/sizes.csv" },
              { workflow: "sized", as: "big", inputs: { size: "l" } },
            ],
          },
        },
      },
    })
    const without = (...sizes: readonly string[]) =>
      edited((document) => {
        const { size } = schemas(document).NewOrder.properties
        size.enum = size.enum.filter((one) => !sizes.includes(one))
      })
    await change(folder, { "apis/shop/openapi.json": without("l") })
    const { printed } = await impact(folder)
    expect(printed?.changes.find(({ kind }) => kind === "enum-changed")).toMatchObject({
      class: "breaks",
      uses: [
        { workflow: "sized", block: "send", file: "callsheet.json", line: 14 },
        { workflow: "sized", block: "send", file: "rows/sizes.csv", line: 3, column: 1 },
      ],
    })
    await change(folder, { "apis/shop/openapi.json": without("m") })
    expect((await impact(folder)).printed?.changes[0]?.uses).toMatchObject([
      { file: "apis/workflow/sized.json", line: 6 },
    ])
    await change(folder, {
      "apis/shop/openapi.json": edited(
        (document) => void schemas(document).NewOrder.properties.size.enum.push("xl"),
      ),
    })
    expect((await impact(folder)).lines).toEqual(["compatible | enum-changed | POST /orders | /body/size"])
  })

  it("says where in both documents and in the project, and counts", async () => {
    const folder = await createRepository(files)
    await change(folder, {
      "apis/shop/openapi.json": edited(({ paths }) => remove(paths["/orders/{id}"], "get")),
    })
    const { printed } = await impact(folder)
    expect(printed).toMatchObject({
      against: "HEAD",
      counts: { breaks: 1, unused: 0, compatible: 0 },
      changes: [
        {
          api: "shop",
          side: "request",
          message: "the operation was removed",
          before: { file: "apis/shop/openapi.json", line: expect.any(Number) },
          uses: [{ workflow: "flow", block: "get", file: "apis/workflow/flow.json", line: 80, column: 22 }],
        },
      ],
    })
    expect(printed?.changes[0]?.after).toBeUndefined()
  })

  it("calls the operations of a new API added, and those of one that is gone removed", async () => {
    const folder = await createRepository(files)
    await change(folder, { "apis/shop/openapi.json": undefined, "apis/new/openapi.json": shop })
    const { printed } = await impact(folder)
    const kinds = new Set(printed?.changes.map(({ kind }) => kind))
    expect(kinds).toEqual(new Set(["operation-added", "operation-removed"]))
    expect(printed?.counts).toEqual({ breaks: 3, unused: 2, compatible: 5 })
  })

  it("compares with the merge base of a branch, all files of a document included", async () => {
    const split = edited(
      (document) =>
        void Object.assign(document.components.schemas, { Order: { $ref: "../../shared/order.json" } }),
    )
    const folder = await createRepository({
      ...files,
      "apis/shop/openapi.json": split,
      "shared/order.json": order,
    })
    git(folder, "switch", "--quiet", "--create", "topic")
    await change(folder, { "shared/order.json": { ...order, required: ["id"] } })
    git(folder, "commit", "--quiet", "--all", "--message", "Changes")
    const { lines } = await impact(folder, "--against", "main")
    expect(lines).toContain("breaks | property-optional | GET /orders/{id} | /body/total | sum sum.ts")
    expect((await impact(folder)).lines).toEqual([])
  })

  it("compares with a file", async () => {
    const folder = await createTestFolder({
      ...files,
      "old.json": edited(({ paths }) => remove(paths, "/spare")),
    })
    const words = ["--against-file", "old.json", "--api", "shop"]
    expect((await impact(folder, ...words)).lines).toEqual(["compatible | operation-added | GET /spare"])
    const missing = await impact(folder, "--against-file", "none.json", "--api", "shop")
    expect(missing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("none.json") })
    expect((await impact(folder, "--against-file", "old.json")).stderr).toContain(
      "--against-file needs --api",
    )
  })

  it.each([
    ["breaks", 1],
    ["unused", 1],
    ["none", 0],
  ])("with --fail-on %s exits with %i", async (failOn, code) => {
    const folder = await createRepository(files)
    await change(folder, {
      "apis/shop/openapi.json": edited(({ paths }) => remove(paths["/orders/{id}"], "get")),
    })
    expect((await impact(folder, "--fail-on", failOn)).exitCode).toBe(code)
    await change(folder, {
      "apis/shop/openapi.json": edited(({ paths }) => remove(paths["/orders/{id}"], "delete")),
    })
    expect((await impact(folder, "--fail-on", failOn)).exitCode).toBe(failOn === "unused" ? 1 : 0)
  })

  it.each<readonly [string, Readonly<Record<string, unknown>>, readonly string[], string]>([
    ["the new document isn't JSON", { "apis/shop/openapi.json": "{" }, [], "the new document"],
    [
      "a file of it is missing",
      {
        "apis/shop/openapi.json": edited(
          (document) => void Object.assign(document.components.schemas, { Order: { $ref: "none.json" } }),
        ),
      },
      [],
      "none.json",
    ],
    ["the reference is unknown", {}, ["--against", "none"], "no commit has this name"],
    ["the API is unknown", {}, ["--api", "none"], "none"],
    ["both sides are given", {}, ["--against", "main", "--against-file", "x"], "can't be used with"],
  ])("exits with 2 if %s", async (_, changes, words, message) => {
    const folder = await createRepository(files)
    await change(folder, changes)
    const { exitCode, stderr } = await impact(folder, ...words)
    expect(exitCode).toBe(2)
    expect(stderr).toContain(message)
  })

  it("exits with 2 if the old document isn't readable", async () => {
    const folder = await createRepository({ ...files, "apis/shop/openapi.json": "{" })
    await change(folder, { "apis/shop/openapi.json": shop })
    expect(await impact(folder)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("the old document"),
    })
  })

  it("checks recorded responses, except masked values", async () => {
    const api = await startApi({
      "GET /orders": { body: [] },
      "POST /orders": { status: 201, body: { id: "k-9f8e7d6c5b4a", status: "open", total: 1, note: "" } },
      "*": { body: { id: "k-9f8e7d6c5b4a", status: "closed", total: 2 } },
    })
    const folder = await createRepository({
      ...files,
      "apis/shop/environments/local.json": { baseUrl: api.url },
      "apis/shop/environments/local.secrets.env": "apiKey=k-9f8e7d6c5b4a\n",
      ".gitignore": "*.secrets.env\n",
    })
    const run = await callsheet(["run", "flow", "--env", "local", "--record", "run.callsheet"], { folder })
    await api.close()
    expect(run).toMatchObject({ exitCode: 0 })
    await change(folder, {
      "apis/shop/openapi.json": edited((document) => {
        schemas(document).Order.properties.status.enum = ["open"]
        Object.assign(schemas(document).Order.properties.id, { maxLength: 2 })
      }),
    })
    const { exitCode, printed } = await impact(folder, "--records", "run.callsheet")
    expect(printed?.counts.breaks).toBe(0)
    expect(exitCode).toBe(1)
    expect(printed?.violations).toEqual([
      expect.objectContaining({
        api: "shop",
        operation: "GET /orders/{id}",
        workflow: "flow",
        block: "get",
        path: "/body/status",
      }),
    ])
    expect((await impact(folder, "--records", "README.md")).exitCode).toBe(2)
  })

  it("prints text, annotations and Markdown that a document can't break out of", async () => {
    const hostile = "x\n::error::pwned | `a` <b>"
    const evil = edited(({ paths }) => (paths["/orders"].get.operationId = hostile))
    const folder = await createRepository(files)
    await change(folder, { "apis/shop/openapi.json": evil })
    const text = await callsheet(["impact"], { folder })
    expect(text.stdout).toContain(
      "changes that break workflows\n  shop  GET /orders  the operationId changed",
    )
    expect(text.stdout).toContain("    flow › list  apis/workflow/flow.json:")
    expect(text.stdout).toContain(
      "compared with HEAD: 1 change breaks something here, 0 could break others, 0 compatible\n",
    )
    const github = await callsheet(["impact", "--format", "github"], { folder })
    expect(github.stdout).toMatch(
      /^::error file=apis\/workflow\/flow\.json,line=\d+,col=\d+,title=impact%3A operation-renamed::/,
    )
    const markdown = await callsheet(["impact", "--format", "markdown"], { folder })
    expect(markdown.stdout).toContain("| shop GET /orders | the operationId changed")
    expect(markdown.stdout).toContain(String.raw`\| \`a\` \<b\>`)
    for (const { stdout } of [text, github, markdown]) expect(stdout).not.toMatch(/^::error::pwned/m)
  })
})
