import { once } from "node:events"
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { createServer, type AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, writeFiles, type Files } from "../harness/callsheet.ts"

/** One document over eight files in both languages, with cycles: order -> customer -> order, and node -> node. */
const split = (baseUrl: string): Files => ({
  "apis/shop/openapi.yaml": `
openapi: 3.0.3
info: { title: Shop, version: "1" }
servers: [{ url: "${baseUrl}" }]
paths:
  /orders/{id}:
    $ref: paths/order.yaml
  /tree:
    $ref: ./paths/tree.json#/tree
`,
  "apis/shop/paths/order.yaml": `
parameters:
  - $ref: ../parameters.yaml#/Id
get:
  operationId: getOrder
  tags: [orders]
  responses:
    200:
      description: An order.
      headers:
        x-rate: { $ref: "../parameters.yaml#/headers/Rate" }
      content:
        application/json:
          schema: { $ref: ../schemas/order.json }
    default:
      $ref: ../../shared/errors.json#/responses/Problem
`,
  "apis/shop/paths/tree.json": {
    tree: {
      get: {
        operationId: "getTree",
        responses: {
          200: {
            description: "A tree.",
            content: { "application/json": { schema: { $ref: "../schemas/node.yaml#/Node" } } },
          },
        },
      },
    },
  },
  "apis/shop/parameters.yaml": `
Id: { name: id, in: path, required: true, schema: { type: string } }
headers:
  Rate: { required: true, schema: { type: integer } }
`,
  "apis/shop/schemas/order.json": {
    type: "object",
    required: ["id", "customer"],
    properties: {
      id: { type: "integer" },
      customer: { $ref: "customer.yaml#/Customer" },
      previous: { $ref: "#" },
    },
  },
  "apis/shop/schemas/customer.yaml": `
Customer:
  type: object
  required: [name]
  properties:
    name: { $ref: "#/Name" }
    orders: { type: array, items: { $ref: order.json } }
Name: { type: string }
`,
  "apis/shop/schemas/node.yaml": `
Node:
  type: object
  required: [name]
  properties:
    name: { type: string }
    children: { type: array, items: { $ref: "node.yaml#/Node" } }
`,
  "apis/shared/errors.json": {
    responses: {
      Problem: {
        description: "A problem.",
        content: { "application/problem+json": { schema: { required: ["title"] } } },
      },
    },
  },
  "apis/shop/environments/schema.json": { version: 1, variables: {} },
  "apis/shop/environments/local.json": {},
  "apis/workflow/check.json": {
    version: 1,
    validateContracts: true,
    blocks: [
      {
        id: "order",
        type: "request",
        request: { api: "shop", operation: "getOrder", overrides: { params: { path: { id: "1" } } } },
      },
      { id: "tree", type: "request", request: { api: "shop", operation: "getTree" } },
    ],
  },
})

const customer = { name: "Ada", orders: [{ id: 1, customer: { name: "Ada" } }] }
const good = { id: 2, customer, previous: { id: 1, customer } }

async function shop(order: unknown, tree: unknown = { name: "root" }): Promise<Files> {
  const api = await startApi({
    "GET /orders/1": { headers: { "x-rate": "5" }, body: order },
    "GET /tree": { body: tree },
  })
  onTestFinished(() => api.close())
  return split(api.url)
}

const withRef = (files: Files, reference: string): Files => ({
  ...files,
  "apis/shop/schemas/order.json": { properties: { customer: { $ref: reference } } },
})

describe("a document split over files", () => {
  it("lists its operations, validates, and passes matching responses", async () => {
    const files = await shop(good)
    const list = await callsheet(["list", "operations"], { files })
    expect(list.stdout).toMatch(/shop +orders +getOrder +GET +\/orders\/\{id\}/)
    expect(list.stdout).toMatch(/shop +tree +getTree +GET +\/tree/)
    expect(list.exitCode).toBe(0)
    const validate = await callsheet(["validate"], { files })
    expect(validate.stdout).toMatch(/^✓ no problems/)
    const run = await callsheet(["run", "check", "--json"], { files })
    expect(run.exitCode, run.stdout + run.stderr).toBe(0)
    expect(run.stdout).toContain('"contract":{"status":"passed"')
  })

  it("fails a response that violates another file, at any depth", async () => {
    const broken = { ...good, previous: { id: 1, customer: { name: "Ada", orders: [{ id: "x" }] } } }
    const run = await callsheet(["run", "check"], { files: await shop(broken) })
    expect(run.exitCode).toBe(1)
    expect(run.stdout).toContain(
      '/body/previous/customer/orders/0/id  expected an integer, received a string: "x"',
    )
    expect(run.stdout).toContain("/body/previous/customer/orders/0/customer")
  })

  it("checks data that goes around a cycle a thousand times", async () => {
    let node: object = { name: 1 }
    for (let depth = 0; depth < 1000; depth++) node = { name: "n", children: [node] }
    const run = await callsheet(["run", "check"], { files: await shop(good, node) })
    expect(run.exitCode).toBe(1)
    expect(run.stdout).toMatch(/(\/children\/0){1000}\/name: expected a string/)
  })

  it("is broken for a response that needs a missing file, and for validate at the $ref", async () => {
    const files = withRef(await shop(good), "gone.yaml")
    const run = await callsheet(["run", "check"], { files })
    expect(run.exitCode).toBe(1)
    expect(run.stdout).toContain(
      'the document\'s own reference "gone.yaml" (at apis/shop/schemas/order.json#/properties/customer) does not resolve',
    )
    const validate = await callsheet(["validate"], { files })
    expect(validate.exitCode).toBe(1)
    expect(validate.stdout).toMatch(
      /apis\/shop\/schemas\/order\.json:\d+:\d+: #\/properties\/customer\/\$ref: the reference "gone\.yaml" does not resolve: apis\/shop\/schemas\/gone\.yaml: can't read the file: it does not exist \(file-unreadable\)/,
    )
  })

  it("is reported by list if the operations of a path cannot be found", async () => {
    const files = { ...(await shop(good)), "apis/shop/paths/order.yaml": "get: [" }
    const { exitCode, stdout, stderr } = await callsheet(["list", "operations"], { files })
    expect(exitCode).toBe(2)
    expect(stdout).toContain("getTree")
    expect(stderr).toMatch(/apis\/shop\/paths\/order\.yaml:1:\d+: .*yaml-syntax/)
  })
})

describe("a reference that leaves the project", () => {
  const canary = "canary-c0ffee"

  /** Creates a project next to a file. A contract violation would quote the file's text. */
  async function beside(reference: (secret: string) => string) {
    const parent = await mkdtemp(join(tmpdir(), "callsheet-outside-"))
    onTestFinished(() => rm(parent, { recursive: true, force: true }))
    const secret = join(parent, "secret.json")
    await writeFile(secret, JSON.stringify({ enum: [canary] }))
    const folder = join(parent, "project")
    await writeFiles(folder, withRef(await shop(good), reference(secret)))
    return { folder, secret }
  }

  it("would be quoted if its target were inside", async () => {
    const { folder } = await beside(() => "secret.json")
    await writeFiles(folder, { "apis/shop/schemas/secret.json": { enum: [canary] } })
    expect((await callsheet(["run", "check"], { folder })).stdout).toContain(canary)
  })

  it.each([
    ["a path above the root", () => "../../../../secret.json"],
    ["an escaped path above the root", () => "..%2F../%2e%2e/%2e%2e/secret.json"],
    ["an absolute path", (secret: string) => secret],
    ["a file: URL", (secret: string) => `file://${secret}`],
    ["a network share", () => "\\\\127.0.0.1\\share\\secret.json"],
  ])("is rejected and not read: %s", async (_, referenceTo) => {
    const { folder } = await beside(referenceTo)
    const outputs = [
      await callsheet(["validate"], { folder }),
      await callsheet(["run", "check"], { folder }),
      await callsheet(["run", "check", "--json"], { folder }),
    ]
    expect(outputs.map(({ exitCode }) => exitCode)).toEqual([1, 1, 1])
    expect(outputs[0]?.stdout).toContain("(link-outside)")
    for (const { stdout, stderr } of outputs) expect(stdout + stderr).not.toContain(canary)
  })

  it("is rejected and not read: a link", async () => {
    const { folder, secret } = await beside(() => "link.json")
    await symlink(secret, join(folder, "apis/shop/schemas/link.json"))
    const validate = await callsheet(["validate"], { folder })
    expect(validate.stdout).toContain(
      "apis/shop/schemas/link.json: the path leads outside the project (link-outside)",
    )
    const run = await callsheet(["run", "check"], { folder })
    expect(run.exitCode).toBe(1)
    for (const { stdout, stderr } of [validate, run]) expect(stdout + stderr).not.toContain(canary)
  })

  it("is never fetched", async () => {
    let connections = 0
    const server = createServer((socket) => {
      connections++
      socket.destroy()
    }).listen(0, "127.0.0.1")
    onTestFinished(() => void server.close())
    await once(server, "listening")
    const { port } = server.address() as AddressInfo
    const files = withRef(await shop(good), `http://127.0.0.1:${port}/customer.json`)
    const validate = await callsheet(["validate"], { files })
    expect(validate.stdout).toContain("callsheet doesn't follow references to URLs (link-outside)")
    expect((await callsheet(["run", "check"], { files })).exitCode).toBe(1)
    expect((await callsheet(["list"], { files })).exitCode).toBe(0)
    expect(connections).toBe(0)
  })
})
