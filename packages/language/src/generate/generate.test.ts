import { describe, expect, it } from "vitest"
import { stringifyJson, type JsonObject, type JsonValue, type Workflow } from "@callsheet/format"
import { readDocument } from "@callsheet/openapi"
import { findingsOf, projectOf, type ApiFiles } from "../testing/project-of.ts"
import { generate } from "./generate.ts"
import type { Generated, GenerateChoice } from "./generated.ts"

const text: JsonObject = { type: "string" }
const object = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: "object",
  required,
  properties,
})
const json = (schema: JsonValue): JsonObject => ({ content: { "application/json": { schema } } })
const answers = (status: string, schema?: JsonValue, more: JsonObject = {}): JsonObject => ({
  responses: { [status]: { description: "d", ...(schema !== undefined && json(schema)) }, ...more },
})
const sends = (schema: JsonValue): JsonObject => ({ requestBody: { required: true, ...json(schema) } })
const path = (...names: readonly string[]): JsonObject => ({
  parameters: names.map((name) => ({ name, in: "path", required: true, schema: text })),
})
const notFound = { 404: { description: "d" } }

const order = object({ id: text, note: text, key: { type: "string", format: "uuid" } })
const newOrder = object({ note: { ...text, example: "fragile" }, key: { type: "string", format: "uuid" } })

/** A resource with every role. */
const orders: JsonObject = {
  "/orders": {
    get: { operationId: "listOrders", ...answers("200", object({ items: { type: "array", items: order } })) },
    post: { operationId: "createOrder", ...sends(newOrder), ...answers("201", order) },
  },
  "/orders/{orderId}": {
    ...path("orderId"),
    get: { operationId: "getOrder", ...answers("200", order, notFound) },
    patch: {
      operationId: "updateOrder",
      ...sends(object({ note: { ...text, example: "fragile" } }, [])),
      ...answers("200", order),
    },
    delete: { operationId: "deleteOrder", ...answers("204") },
  },
}

interface Asked extends ApiFiles {
  readonly choice?: GenerateChoice
  readonly more?: Readonly<Record<string, ApiFiles>>
}

const documentOf = (paths: JsonObject, root: JsonObject = {}): JsonObject => ({
  openapi: "3.1.0",
  info: { title: "t", version: "1" },
  ...root,
  paths,
})

/** Generates from documents, and checks that the generated project is valid. */
async function generated({ choice = {}, more = {}, ...shop }: Asked): Promise<Generated> {
  const apis = { shop, ...more }
  const project = projectOf({ workflows: {}, apis })
  const made = generate({
    apis: await Promise.all(
      [...project.apis.values()].map(async (api) => {
        const { document } = await readDocument(api.document!, { readsWhole: true })
        return { api, document: document! }
      }),
    ),
    workflowNames: [],
    choice,
  })
  const workflows = made.files.flatMap((file) => {
    const name = /^apis\/workflow\/([^/]+)\.json$/.exec(file.path)?.[1]
    return name === undefined || !("value" in file) ? [] : [[name, file.value] as const]
  })
  const settings = { version: 1, helpers: made.helpers, suites: made.suites }
  const requests = Object.fromEntries(
    made.files.flatMap((file) => {
      const name = /^apis\/shop\/requests\/(.+)\.json$/.exec(file.path)?.[1]
      return name === undefined || !("value" in file) ? [] : [[name, file.value]]
    }),
  )
  const findings = await findingsOf({
    workflows: Object.fromEntries(workflows),
    apis: { ...apis, shop: { ...shop, requests: { ...shop.requests, ...requests } } },
    settings,
    scripts: { checks: ["containsItem"] },
  })
  expect(findings.filter((finding) => finding.startsWith("error"))).toEqual([])
  return made
}

/** Formats the blocks of a workflow: `create createOrder {"body":…}`, `created create.response.status equals 201`. */
function show(made: Generated, name: string): readonly string[] {
  const file = made.files.find((one) => one.path === `apis/workflow/${name}.json`)
  if (file === undefined || !("value" in file)) return []
  return linesOf((file.value as unknown as Workflow).blocks)
}

const linesOf = (blocks: Workflow["blocks"]): readonly string[] =>
  blocks.flatMap((block) => {
    switch (block.type) {
      case "request": {
        const { operation, instance, overrides = {} } = block.request
        return [`${block.id} ${operation ?? instance} ${JSON.stringify(overrides)}`]
      }
      case "assert":
        return (
          block.assertions?.map(
            (one) =>
              `${block.id} ${one.source} ${one.operator} ${stringifyJson("value" in one ? (one.value ?? null) : {})}`,
          ) ?? [block.id]
        )
      case "condition":
        return [`${block.id}:`, ...linesOf(block.then)]
      default:
        return [block.id]
    }
  })

describe("the workflow of a resource", () => {
  it("creates, reads, lists, updates and deletes an item, and then doesn't find it", async () => {
    const made = await generated({ document: documentOf(orders) })
    const at = '{"params":{"path":{"orderId":"{{create.response.body.id}}"}}'
    expect(show(made, "orders-lifecycle")).toEqual([
      'create createOrder {"body":{"note":"fragile","key":"{{$uuid}}"}}',
      "created create.response.status equals 201",
      'created create.response.body.note equals "fragile"',
      `read getOrder ${at}}`,
      "found read.response.status equals 200",
      'found read.response.body.note equals "fragile"',
      'found read.response.body.key equals "{{create.response.body.key}}"',
      "list listOrders {}",
      "listed list.response.status equals 200",
      "listed-item",
      `update updateOrder ${at},"body":{"note":"fragile (changed)"}}`,
      "updated update.response.status equals 200",
      'updated update.response.body.note equals "fragile (changed)"',
      `read-updated getOrder ${at}}`,
      "found-updated read-updated.response.status equals 200",
      'found-updated read-updated.response.body.note equals "fragile (changed)"',
      'found-updated read-updated.response.body.key equals "{{update.response.body.key}}"',
      `delete deleteOrder ${at}}`,
      "deleted delete.response.status equals 204",
      `read-deleted getOrder ${at}}`,
      "gone read-deleted.response.status equals 404",
    ])
    expect(made.suites["generated"]?.workflows).toEqual([
      {
        workflow: "orders-lifecycle",
        finally: [{ workflow: "orders-cleanup", inputs: { orderId: "{{create.response.body.id}}" } }],
      },
    ])
    expect(made.helpers).toEqual(["orders-cleanup"])
    expect(made.skipped).toEqual([])
  })

  it("looks for the new item in the list by a script that reads like one of a person", async () => {
    const script = async (paths: JsonObject) =>
      (await generated({ document: documentOf(paths) })).files.find((one) =>
        one.path.endsWith("orders-lifecycle/checks.ts"),
      )
    expect(await script(orders)).toMatchObject({
      text: `import type { AssertContext } from "@callsheet/sdk"

type Item = { readonly id?: unknown }

/** Fails if the list doesn't contain the new item. */
export const containsItem = (ctx: AssertContext): void => {
  const items = ctx.get<readonly Item[]>("list.response.body.items") ?? []
  const ids = items.flatMap((item) => item.id ?? [])
  ctx.expect(ids).toContain(ctx.get("create.response.body.id"))
}
`,
    })
    const item = object({ id: { type: "integer" } })
    const get = { operationId: "listOrders", ...answers("200", { type: "array", items: item }) }
    const { post } = (orders["/orders"] ?? {}) as { readonly post: JsonObject }
    expect(await script({ ...orders, "/orders": { get, post } })).toMatchObject({
      text: expect.stringContaining(".map(String)\n  ctx.expect(ids).toContain(String(") as string,
    })
  })

  it("is the same each time", async () => {
    const document = documentOf(orders)
    expect(await generated({ document })).toEqual(await generated({ document }))
  })

  it("comes after its parents, and says why each value is what it is", async () => {
    const lines = {
      "/orders/{orderId}/lines": {
        ...path("orderId"),
        post: {
          operationId: "addLine",
          ...sends(object({ sku: text })),
          ...answers("201", object({ id: text, sku: text })),
        },
      },
      "/orders/{orderId}/lines/{lineId}": {
        ...path("orderId", "lineId"),
        get: { operationId: "getLine", ...answers("200", object({ id: text })) },
      },
      "/products": {
        get: {
          operationId: "listProducts",
          ...answers("200", { type: "array", items: object({ sku: text }) }),
        },
      },
      "/products/{sku}": {
        ...path("sku"),
        get: { operationId: "getProduct", ...answers("200", object({ sku: text })) },
      },
    }
    const made = await generated({ document: documentOf({ ...orders, ...lines }) })
    expect(show(made, "lines-lifecycle").filter((line) => line.includes("{"))).toEqual([
      'create-order createOrder {"body":{"note":"fragile","key":"{{$uuid}}"}}',
      "list-products listProducts {}",
      'create addLine {"params":{"path":{"orderId":"{{create-order.response.body.id}}"}},"body":{"sku":"{{list-products.response.body.0.sku}}"}}',
      'created create.response.body.sku equals "{{list-products.response.body.0.sku}}"',
      'read getLine {"params":{"path":{"orderId":"{{create-order.response.body.id}}","lineId":"{{create.response.body.id}}"}}}',
    ])
    const workflow = JSON.stringify(
      made.files.find((one) => one.path === "apis/workflow/lines-lifecycle.json"),
    )
    expect(workflow).toContain(
      "`sku` is `list-products.response.body.0.sku`: its name says that it identifies the product.",
    )
    expect(workflow).toContain(
      "`orderId` is `create-order.response.body.id`: its place in the path says that it identifies the order.",
    )
    expect(made.suites["generated"]?.workflows).toContainEqual({
      workflow: "lines-lifecycle",
      finally: [{ workflow: "orders-cleanup", inputs: { orderId: "{{create-order.response.body.id}}" } }],
    })
  })

  it("checks the rest only if the state of the parent allowed the creation", async () => {
    const returns = {
      "/orders/{orderId}/returns": {
        ...path("orderId"),
        post: {
          operationId: "sendBack",
          ...answers("201", object({ id: text }), { 409: { description: "d" } }),
        },
      },
      "/returns/{returnId}": {
        ...path("returnId"),
        get: { operationId: "getReturn", ...answers("200", object({ id: text })) },
      },
    }
    const made = await generated({ document: documentOf({ ...orders, ...returns }) })
    expect(show(made, "returns-lifecycle").slice(2)).toEqual([
      'create sendBack {"params":{"path":{"orderId":"{{create-order.response.body.id}}"}}}',
      "answered create.response.status lessThan 500",
      "if-created:",
      'read getReturn {"params":{"path":{"returnId":"{{create.response.body.id}}"}}}',
      "found read.response.status equals 200",
    ])
  })
})

describe("what the document doesn't say", () => {
  it("becomes an input, and the workflow a helper outside of the suite", async () => {
    const paths = {
      "/reports/{owner}": {
        ...path("owner"),
        get: { operationId: "getReport", ...answers("200", object({ a: text })) },
      },
      "/health": { get: { operationId: "check", ...answers("200") } },
    }
    const made = await generated({ document: documentOf(paths) })
    expect(show(made, "reports-getreport")).toEqual([
      'call getReport {"params":{"path":{"owner":"{{owner}}"}}}',
      "answered call.response.status equals 200",
    ])
    expect(made.suites["generated"]?.workflows).toEqual(["health-check"])
    expect(made.helpers).toEqual(["reports-getreport"])
    expect(made.skipped).toEqual([
      {
        api: "shop",
        operation: "getReport",
        reason: "the workflow reports-getreport needs a value for `owner`",
      },
    ])
  })

  it("is not taken from an item that was there before, if the request changes it", async () => {
    const paths = {
      "/accounts": {
        get: {
          operationId: "listAccounts",
          ...answers("200", { type: "array", items: object({ id: text }) }),
        },
      },
      "/accounts/{id}": {
        ...path("id"),
        get: { operationId: "show", ...answers("200", object({ id: text })) },
        delete: { operationId: "remove", ...answers("204") },
      },
    }
    const made = await generated({ document: documentOf(paths) })
    expect(show(made, "accounts-show")[2]).toBe(
      'call show {"params":{"path":{"id":"{{list-accounts.response.body.0.id}}"}}}',
    )
    expect(show(made, "accounts-remove")[0]).toBe('call remove {"params":{"path":{"id":"{{id}}"}}}')
    expect(made.helpers).toEqual(["accounts-remove"])
  })

  it("is a reason to skip an operation without a successful response", async () => {
    const paths = { "/a": { get: { operationId: "a", ...answers("404") } } }
    const made = await generated({ document: documentOf(paths) })
    expect(made.files.filter(({ path: file }) => file.startsWith("apis/workflow/"))).toEqual([])
    expect(made.skipped).toEqual([
      { api: "shop", operation: "a", reason: "the document describes no successful response" },
    ])
  })
})

describe("values", () => {
  const patch = { "/orders": orders["/orders"] ?? {} }

  it("come from a saved request of the operation first", async () => {
    const requests = {
      "orders/gift": {
        version: 1,
        operation: "createOrder",
        body: { note: "{{greeting}}", key: "{{$uuid}}" },
      },
    }
    const environments = {
      "schema.json": { version: 1, variables: { greeting: { type: "string", required: false } } },
      "local.json": { greeting: "hi" },
    }
    const made = await generated({ document: documentOf(orders), requests, environments })
    expect(show(made, "orders-lifecycle").slice(0, 3)).toEqual([
      "create gift {}",
      "created create.response.status equals 201",
      'created create.response.body.note equals "{{env.shop.greeting}}"',
    ])
  })

  it("may be another API's identifier", async () => {
    const payments = documentOf({
      "/payments": {
        post: {
          operationId: "pay",
          ...sends(object({ orderId: text })),
          ...answers("201", object({ id: text })),
        },
      },
    })
    const made = await generated({ document: documentOf(orders), more: { pay: { document: payments } } })
    expect(show(made, "payments-pay")).toContain(
      'call pay {"body":{"orderId":"{{create-order.response.body.id}}"}}',
    )
  })

  const number: JsonObject = { type: "integer" }

  /** Returns the request that `POST /tasks` sends with a body. */
  async function taskWith(body: JsonObject, others: JsonObject): Promise<string | undefined> {
    const post = { operationId: "addTask", ...body, ...answers("201", object({ title: text })) }
    const made = await generated({ document: documentOf({ ...others, "/tasks": { post } }) })
    return show(made, "tasks-addtask").find((line) => line.startsWith("call "))
  }

  const projects: JsonObject = {
    "/projects": {
      post: {
        operationId: "addProject",
        ...sends(object({ key: text })),
        ...answers("201", object({ id: number, key: text })),
      },
    },
    "/projects/{key}": {
      ...path("key"),
      get: { operationId: "getProject", ...answers("200", object({ key: text })) },
    },
  }

  it("are the field that a name asks for, of the same kind", async () => {
    expect(await taskWith(sends(object({ projectId: number })), projects)).toBe(
      'call addTask {"body":{"projectId":"{{create-project.response.body.id}}"}}',
    )
    expect(await taskWith(sends(object({ projectKey: text })), projects)).toBe(
      'call addTask {"body":{"projectKey":"{{create-project.response.body.key}}"}}',
    )
    expect(await taskWith(sends(object({ projectKey: number })), projects)).toBe(
      'call addTask {"body":{"projectKey":1}}',
    )
  })

  it("keep an example if only the name of a resource speaks for another value", async () => {
    const example = { project: "Apollo" }
    const schema = object({ project: text })
    expect(await taskWith(sends(schema), projects)).toBe(
      'call addTask {"body":{"project":"{{create-project.response.body.key}}"}}',
    )
    const requestBody = { required: true, content: { "application/json": { schema, example } } }
    expect(await taskWith({ requestBody }, projects)).toBe('call addTask {"body":{"project":"Apollo"}}')
  })

  it("don't refer to a resource by a name that many things have", async () => {
    const types = {
      "/types": {
        get: { operationId: "listTypes", ...answers("200", { type: "array", items: object({ key: text }) }) },
      },
      "/pages/{title}": {
        ...path("title"),
        get: { operationId: "getPage", ...answers("200", object({ title: text })) },
      },
      "/pages": {
        get: {
          operationId: "listPages",
          ...answers("200", { type: "array", items: object({ title: text }) }),
        },
      },
    }
    expect(await taskWith(sends(object({ type: text, title: text })), types)).toBe(
      'call addTask {"body":{"type":"type","title":"title"}}',
    )
  })

  it("are an input if a list, which may be empty, is all that has them", async () => {
    const { post, ...others } = (projects["/projects"] ?? {}) as { readonly post: JsonObject }
    const list = { ...answers("200", { type: "array", items: object({ id: number }) }) }
    const needsMore = { ...post, ...sends(object({ ownerId: text })) }
    const paths = {
      ...projects,
      "/projects": { ...others, get: { operationId: "listProjects", ...list }, post: needsMore },
    }
    expect(await taskWith(sends(object({ projectId: number })), paths)).toBe(
      'call addTask {"body":{"projectId":"{{projectId}}"}}',
    )
  })

  it("are unique for an identifier that the client chooses, and stay the same in a replacement", async () => {
    const tag = object({ name: { ...text, example: "blue" }, color: text })
    const paths = {
      "/tags": {
        get: { operationId: "listTags", ...answers("200", { type: "array", items: tag }) },
        post: { operationId: "addTag", ...sends(tag), ...answers("201", tag) },
      },
      "/tags/{name}": {
        ...path("name"),
        put: { operationId: "putTag", ...sends(tag), ...answers("200", tag) },
      },
    }
    const made = await generated({ document: documentOf(paths) })
    const lines = show(made, "tags-lifecycle")
    expect(lines[0]).toBe('create addTag {"body":{"name":"blue-{{$uuid}}","color":"color"}}')
    expect(lines.find((line) => line.startsWith("replace "))).toContain(
      '"body":{"name":"{{create.response.body.name}}","color":"color (changed)"}',
    )
  })

  it("fill the objects of a form, which has no way to write an empty one", async () => {
    const schema = object({ profile: object({ headline: text }, []), note: text }, ["profile"])
    const requestBody = { required: true, content: { "application/x-www-form-urlencoded": { schema } } }
    expect(await taskWith({ requestBody }, {})).toBe(
      'call addTask {"body":{"profile":{"headline":"headline"}}}',
    )
  })

  it("sign in with the variables of the environment if it has no credentials", async () => {
    const signIn = {
      "/login": {
        post: {
          operationId: "logIn",
          security: [],
          ...sends(object({ user: text, password: text })),
          ...answers("200", object({ token: text })),
        },
      },
    }
    const document = documentOf(
      { ...signIn, ...patch },
      {
        security: [{ bearer: [] }],
        components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
      },
    )
    const variable = { type: "string", required: false }
    const local = { user: "ada", password: "x" }
    const environments = (...names: readonly string[]) => ({
      "schema.json": { version: 1, variables: Object.fromEntries(names.map((name) => [name, variable])) },
      "local.json": Object.fromEntries(Object.entries(local).filter(([name]) => names.includes(name))),
    })
    const signsIn = await generated({ document, environments: environments("user", "password") })
    expect(show(signsIn, "orders-lifecycle").slice(0, 3)).toEqual([
      'sign-in logIn {"body":{"user":"{{user}}","password":"{{password}}"}}',
      "signed-in sign-in.response.status equals 200",
      'create createOrder {"params":{"header":{"Authorization":"Bearer {{sign-in.response.body.token}}"}},"body":{"note":"fragile","key":"{{$uuid}}"}}',
    ])
    const hasToken = await generated({ document, environments: environments("user", "password", "bearer") })
    expect(show(hasToken, "orders-lifecycle")[0]).toMatch(/^create createOrder \{"body"/)
    expect(show(await generated({ document, environments: environments() }), "login-login")[0]).toBe(
      'call logIn {"body":{"user":"{{user}}","password":"{{password}}"}}',
    )
  })
})

describe("an API without environments", () => {
  it("gets an address and a secret for each scheme", async () => {
    const document = documentOf(orders, {
      servers: [{ url: "https://shop.example/v1/" }],
      components: { securitySchemes: { "api.key": { type: "apiKey", in: "header", name: "X-Key" } } },
    })
    const made = await generated({ document })
    expect(made.files.slice(0, 2)).toMatchObject([
      {
        path: "apis/shop/environments/schema.json",
        value: { variables: { baseUrl: { required: true }, api_key: { type: "string", secret: true } } },
      },
      { path: "apis/shop/environments/local.json", value: { baseUrl: "https://shop.example/v1" } },
    ])
    const environments = { "local.json": {} }
    const paths = (await generated({ document, environments })).files.map((file) => file.path)
    expect(paths.filter((one) => one.includes("environments"))).toEqual([])
  })
})

describe("a choice", () => {
  const two = documentOf({
    ...orders,
    "/health": { get: { operationId: "check", tags: ["Ops"], ...answers("200") } },
  })
  it.each<[GenerateChoice, readonly string[]]>([
    [{}, ["orders-lifecycle", "orders-cleanup", "ops-check"]],
    [{ api: "other" }, []],
    [{ tag: "ops" }, ["ops-check"]],
    [{ operations: ["getOrder"] }, ["orders-lifecycle", "orders-cleanup"]],
    [{ operations: ["GET /health"] }, ["ops-check"]],
  ])("%j makes %j", async (choice, workflows) => {
    const made = await generated({ document: two, choice })
    expect([...made.workflows].toSorted()).toEqual([...workflows].toSorted())
  })
})
