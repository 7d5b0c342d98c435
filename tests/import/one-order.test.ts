import { describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, textsIn } from "../harness/callsheet.ts"
import { folderWith, importInto, readJson, validated } from "./import-into.ts"

const collection = (item: readonly unknown[], more: object = {}) => ({
  info: {
    name: "My Shop",
    schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
  },
  item,
  ...more,
})

const folder = (name: string, item: readonly unknown[], more: object = {}) => ({ name, item, ...more })

const request = (
  name: string,
  path: string,
  more: { test?: string; body?: string; method?: string } = {},
) => ({
  name,
  request: {
    method: more.method ?? (more.body === undefined ? "GET" : "POST"),
    url: `{{baseUrl}}${path}`,
    ...(more.body === undefined
      ? {}
      : { body: { mode: "raw", raw: more.body, options: { raw: { language: "json" } } } }),
  },
  ...(more.test === undefined ? {} : { event: [{ listen: "test", script: { exec: more.test } }] }),
})

const signIn = request("Login", "/login", {
  method: "POST",
  test: 'pm.environment.set("token", pm.response.json().token)',
})
const login = { ...signIn, request: { ...signIn.request, auth: { type: "noauth" } } }

const auth = { type: "bearer", bearer: [{ key: "token", value: "{{token}}" }] }

interface Written {
  readonly inputs?: Readonly<Record<string, { readonly type: string; readonly required?: boolean }>>
  readonly blocks: readonly Block[]
}
interface Block {
  readonly id: string
  readonly type: string
  readonly blocks?: readonly Block[]
}

const workflowIn = async (root: string, name: string): Promise<Written> =>
  (await readJson(root, `apis/workflow/${name}.json`)) as Written

const count = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, block) => sum + 1 + count(block.blocks ?? []), 0)

const sent = (api: Awaited<ReturnType<typeof startApi>>): readonly string[] =>
  api.requests.map(({ method, url }) => `${method} ${url}`)

describe("the requests of a collection", () => {
  it("stay in one workflow in the order of the source if they pass variables to each other", async () => {
    const api = await startApi({
      "POST /login": { body: { token: "tok-123456" } },
      "POST /orders": { body: { id: 7 } },
      "*": { body: {} },
    })
    const root = await folderWith({
      "shop.json": collection(
        [
          folder("Health", [request("Ping", "/ping")], { auth: { type: "noauth" } }),
          login,
          folder("Orders", [
            request("Create order", "/orders", {
              body: "{}",
              test: 'pm.collectionVariables.set("orderId", pm.response.json().id)',
            }),
            folder("Reading", [request("Get order", "/orders/{{orderId}}")]),
          ]),
          folder("Payments", [request("Pay", "/payments", { body: '{"order": {{orderId}}}' })]),
        ],
        { auth, variable: [{ key: "baseUrl", value: api.url }] },
      ),
    })
    const { result } = await importInto(root, ["shop.json"])
    expect(result?.workflows).toEqual(["health", "my-shop"])
    const { blocks } = await workflowIn(root, "my-shop")
    expect(blocks.map(({ id, type }) => `${type} ${id}`)).toEqual([
      "request login",
      "transform login-values",
      "group orders",
      "group payments",
    ])
    expect((await validated(root)).filter((problem) => problem.startsWith("error"))).toEqual([])
    const { exitCode, stderr } = await callsheet(["run", "my-shop"], { folder: root })
    await api.close()
    expect(exitCode, stderr).toBe(0)
    expect(sent(api)).toEqual(["POST /login", "POST /orders", "GET /orders/7", "POST /payments"])
    expect(api.requests.slice(1).map(({ headers }) => headers.authorization)).toEqual(
      Array.from({ length: 3 }, () => "Bearer tok-123456"),
    )
    expect(api.requests.at(-1)?.json).toEqual({ order: 7 })
  })

  it("get a workflow per folder if each folder sets the variables that it reads", async () => {
    const scenario = (name: string) =>
      folder(name, [
        request("Create", "/orders", { body: "{}", test: 'pm.environment.set("id", pm.response.json().id)' }),
        request("Get", "/orders/{{id}}"),
      ])
    const root = await folderWith({ "shop.json": collection([scenario("First"), scenario("Second")]) })
    const { result } = await importInto(root, ["shop.json"])
    expect(result?.workflows).toEqual(["first", "second"])
  })

  it("stay together if a script sets a variable that callsheet can't convert, or only sometimes", async () => {
    const read = (variable: string) => [
      folder("Reading", [request("Get", `/orders/{{${variable}}}`)]),
      folder("Other", [request("Ping", "/ping")]),
    ]
    const workflows = async (code: string) => {
      const root = await folderWith({
        "shop.json": collection([
          folder("Creating", [request("Create", "/orders", { test: code })]),
          ...read("id"),
        ]),
      })
      return (await importInto(root, ["shop.json"])).result?.workflows
    }
    const together = ["my-shop", "other"]
    expect(await workflows('pm.environment.set("id", Math.max(1, pm.response.json().id))')).toEqual(together)
    expect(await workflows('if (pm.response.code === 200) pm.globals.set("id", 1)')).toEqual(together)
    expect(await workflows('// pm.environment.set("id", 1)')).toEqual(["creating", "reading", "other"])
  })
})

describe("a workflow of more than 60 blocks", () => {
  const orders = (at: number) =>
    folder(
      `Orders ${at}`,
      Array.from({ length: 20 }, (_, index) => request(`Get ${index}`, `/orders/{{orderId}}/${at}-${index}`)),
    )
  const large = (url: string) =>
    collection(
      [
        folder("Sign in", [login]),
        folder("Creating", [
          request("Ping", "/ping"),
          request("Create order", "/orders", {
            body: "{}",
            test: 'pm.environment.set("orderId", pm.response.json().id)',
          }),
        ]),
        ...[1, 2, 3].map(orders),
        folder("Payments", [
          request("Pay", "/payments", { body: '{"order": {{orderId}}, "token": "{{token}}"}' }),
        ]),
      ],
      { auth, variable: [{ key: "baseUrl", value: url }] },
    )
  const names = ["sign-in", "creating", "orders-1", "orders-2", "orders-3", "payments"]

  it("becomes a suite that sends the same requests in the same order, with the same values", async () => {
    const api = await startApi({
      "POST /login": { body: { token: "tok-123456" } },
      "POST /orders": { body: { id: 7 } },
      "*": { body: {} },
    })
    const root = await folderWith({
      "shop.json": large(api.url),
      "callsheet.json": { version: 1, helpers: ["old"], defaults: { concurrency: 4 } },
      "apis/workflow/old.json": { version: 1, blocks: [{ id: "a", type: "group", blocks: [] }] },
    })
    const { result } = await importInto(root, ["shop.json"])
    expect(result?.workflows).toEqual(names)
    for (const name of names) expect(count((await workflowIn(root, name)).blocks)).toBeLessThanOrEqual(60)
    expect(await readJson(root, "callsheet.json")).toEqual({
      version: 1,
      helpers: ["old", ...names.slice(1)],
      defaults: { concurrency: 4 },
      suites: {
        "my-shop": {
          description: "My Shop",
          before: ["sign-in", { workflow: "creating", inputs: { token: "{{sign-in.login-values.token}}" } }],
          workflows: names.slice(2).map((workflow) => ({
            workflow,
            inputs: {
              ...(workflow === "payments" ? {} : { orderId: "{{creating.create-order-values.orderId}}" }),
              token: "{{sign-in.login-values.token}}",
              ...(workflow === "payments" ? { orderId: "{{creating.create-order-values.orderId}}" } : {}),
            },
          })),
        },
      },
    })
    expect((await workflowIn(root, "payments")).inputs).toMatchObject({
      orderId: { type: "number", required: true },
      token: { type: "string", required: true },
    })
    expect((await validated(root)).filter((problem) => problem.startsWith("error"))).toEqual([])
    const { exitCode, stderr } = await callsheet(["run", "--suite", "my-shop"], { folder: root })
    await api.close()
    expect(exitCode, stderr).toBe(0)
    expect(sent(api).slice(0, 4)).toEqual(["POST /login", "GET /ping", "POST /orders", "GET /orders/7/1-0"])
    expect(api.requests).toHaveLength(64)
    expect(api.requests.at(-1)?.json).toEqual({ order: 7, token: "tok-123456" })
    for (const { headers } of api.requests.slice(1)) expect(headers.authorization).toBe("Bearer tok-123456")
    expect(Object.values(await textsIn(root)).join("")).not.toContain("tok-123456")
  })

  it("passes what code sets, and the earlier value if code sets it only sometimes", async () => {
    const api = await startApi({ "POST /login": { body: { token: "tok-123456" } }, "*": { body: { id: 7 } } })
    const many = (name: string) =>
      folder(
        name,
        Array.from({ length: 40 }, (_, at) => request(`Get ${at}`, `/all/{{größe}}/${at}`)),
      )
    const root = await folderWith({
      "shop.json": collection(
        [
          folder("Creating", [
            request("Create", "/orders", {
              body: "{}",
              test: 'pm.environment.set("größe", "no-" + Math.max(1, pm.response.json().id))',
            }),
          ]),
          many("Many"),
          folder("Changing", [
            request("Change", "/orders", {
              body: "{}",
              test: 'if (pm.response.code === 409) { pm.environment.set("größe", "conflict") }',
            }),
          ]),
          many("Others"),
          folder("Reading", [
            request("Get", "/orders/{{größe}}", {
              test: `const name = "größe"
                pm.test("is it", () => { pm.expect(pm.environment.get(name)).to.match(/^no-7$/) })`,
            }),
          ]),
        ],
        {
          variable: [{ key: "baseUrl", value: api.url }],
          event: [{ listen: "test", script: { exec: 'pm.test("is fast", () => { eval("1") })' } }],
        },
      ),
    })
    const { result } = await importInto(root, ["shop.json"])
    expect(result?.losses.filter(({ what }) => what !== "script")).toMatchObject([{ what: "variable größe" }])
    expect(result?.workflows).toEqual(["creating", "many", "changing", "others", "reading"])
    expect(await validated(root)).toEqual(["import-todo"])
    const { exitCode, stderr } = await callsheet(["run", "--suite", "my-shop"], {
      folder: root,
    })
    await api.close()
    expect(exitCode, stderr).toBe(0)
    expect(sent(api).slice(0, 2)).toEqual(["POST /orders", "GET /all/no-7/0"])
    expect(sent(api).slice(-2)).toEqual(["GET /all/no-7/39", "GET /orders/no-7"])
  })

  it("changes nothing when it is imported again, and keeps another suite of the same name", async () => {
    const root = await folderWith({ "shop.json": large("https://shop.example") })
    const { exitCode, stdout } = await callsheet(["import", "shop.json"], { folder: root })
    expect(exitCode).toBe(0)
    expect(stdout).toContain("callsheet run --suite my-shop")
    expect((await importInto(root, ["shop.json"])).result?.files).toEqual([])
    const other = await folderWith({
      "shop.json": large("https://shop.example"),
      "callsheet.json": { version: 1, suites: { "my-shop": { workflows: ["mine"] } } },
    })
    const refused = await importInto(other, ["shop.json"])
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toContain('"callsheet.json" already has the suite "my-shop" with other entries')
    expect(await readJson(other, "apis/workflow/payments.json")).toBeUndefined()
    expect((await importInto(other, ["shop.json", "--force"])).exitCode).toBe(0)
    expect(JSON.stringify(await readJson(other, "callsheet.json"))).not.toContain("mine")
  })

  it("is split between requests if it has no folders", async () => {
    const root = await folderWith({
      "shop.json": collection(Array.from({ length: 130 }, (_, at) => request(`Get ${at}`, `/orders/${at}`))),
    })
    const { result } = await importInto(root, ["shop.json"])
    expect(result?.workflows).toEqual(["my-shop", "my-shop-2", "my-shop-3"])
    expect(await readJson(root, "callsheet.json")).toMatchObject({
      suites: { "my-shop": { workflows: ["my-shop", "my-shop-2", "my-shop-3"] } },
    })
  })
})
