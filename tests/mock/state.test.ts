// What `--state` keeps: created items can be read, listed, changed and deleted.

import { expect, it } from "vitest"
import { asUser, files } from "./documents.ts"
import { send, startMock } from "./mock-process.ts"

async function start() {
  const mock = await startMock(["--state"], { files })
  const url = mock.urls["shop"] ?? ""
  return {
    ...mock,
    url,
    call: (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      send(url + path, { method, headers: { ...asUser, ...headers }, body }),
  }
}

interface Item {
  readonly id: string | number
}
const idOf = (body: unknown): string => String((body as Item).id)

it("starts empty, and goes through the life of an item", async () => {
  const { call, url } = await start()
  expect((await call("GET", "/orders")).body).toEqual({ items: [], total: 0, next: null })
  expect((await call("GET", "/orders/1")).status).toBe(404)
  const sent = { sku: "CUP-1", quantity: 2, note: "hi", secret: "not-in-a-response" }
  const made = await call("POST", "/orders", sent)
  const order = { id: 1, sku: "CUP-1", quantity: 2, note: "hi" }
  expect([made.status, made.body]).toEqual([201, order])
  expect(made.headers.get("location")).toBe(`${url}/orders/1`)
  expect((await call("GET", "/orders/1")).body).toEqual(order)
  expect((await call("GET", "/orders")).body).toEqual({ items: [order], total: 1, next: null })
  expect((await call("PATCH", "/orders/1", { quantity: 5 })).body).toEqual({ ...order, quantity: 5 })
  expect((await call("PUT", "/orders/1", { sku: "CUP-2", quantity: 1 })).body).toEqual({
    id: 1,
    sku: "CUP-2",
    quantity: 1,
  })
  expect((await call("DELETE", "/orders/1")).status).toBe(204)
  expect((await call("GET", "/orders/1")).status).toBe(404)
  expect((await call("DELETE", "/orders/1")).status).toBe(404)
  expect((await call("GET", "/orders")).body).toEqual({ items: [], total: 0, next: null })
})

it("keeps the items of each parent apart, and deletes them with it", async () => {
  const { call } = await start()
  const [one, other] = [
    await call("POST", "/orders", { sku: "aa", quantity: 1 }),
    await call("POST", "/orders", { sku: "bb", quantity: 1 }),
  ]
  const [first, second] = [idOf(one.body), idOf(other.body)]
  expect(first).not.toBe(second)
  const note = await call("POST", `/orders/${first}/notes`, { text: "x" })
  expect(note).toMatchObject({ status: 201, body: { orderId: Number(first), text: "x" } })
  expect((await call("GET", `/orders/${first}/notes`)).body).toEqual([note.body])
  expect((await call("GET", `/orders/${second}/notes`)).body).toEqual([])
  expect((await call("GET", `/orders/${second}/notes/${idOf(note.body)}`)).status).toBe(404)
  expect((await call("GET", `/orders/${first}/notes/${idOf(note.body)}`)).body).toEqual(note.body)
  expect((await call("POST", "/orders/99/notes", { text: "x" })).status).toBe(404)
  await call("DELETE", `/orders/${first}`)
  expect((await call("GET", `/orders/${first}/notes`)).status).toBe(404)
})

it("creates by PUT only if 201 is documented, and refuses an id that exists", async () => {
  const { call } = await start()
  expect((await call("PUT", "/orders/9", { sku: "aa", quantity: 1 })).status).toBe(404)
  expect((await call("PUT", "/labels/red", { color: "#f00" })).status).toBe(201)
  expect((await call("PUT", "/labels/red", { color: "#e00" })).status).toBe(200)
  expect((await call("GET", "/labels/red")).body).toEqual({ name: "red", color: "#e00" })
  expect((await call("POST", "/labels", { name: "blue" })).status).toBe(201)
  expect((await call("POST", "/labels", { name: "blue" })).status).toBe(409)
})

it("lists by page and by field", async () => {
  const { call } = await start()
  for (let at = 1; at <= 5; at++)
    await call("POST", "/orders", { sku: `S-${at}`, quantity: at, state: at % 2 === 0 ? "paid" : "open" })
  const skus = async (query: string) => {
    const { items, total } = (await call("GET", `/orders?${query}`)).body as {
      items: { sku: string }[]
      total: number
    }
    return [total, ...items.map(({ sku }) => sku)]
  }
  expect(await skus("limit=2&page=2")).toEqual([5, "S-3", "S-4"])
  expect(await skus("state=paid")).toEqual([2, "S-2", "S-4"])
})

it("lets an invalid request and Prefer change nothing", async () => {
  const { call } = await start()
  expect((await call("POST", "/orders", { sku: "aa" })).status).toBe(400)
  expect((await call("POST", "/orders", { sku: "aa", quantity: 1 }, { prefer: "code=400" })).status).toBe(400)
  expect((await call("GET", "/orders")).body).toMatchObject({ items: [] })
})

it("takes names from outside for nothing but data", async () => {
  const { call, url } = await start()
  for (const name of ["__proto__", "constructor", "toString"]) {
    expect((await call("GET", `/labels/${name}`)).status).toBe(404)
    expect((await call("PUT", `/labels/${name}`, { color: "x" })).body).toMatchObject({ name })
    expect((await call("GET", `/labels/${name}`)).body).toMatchObject({ name, color: "x" })
  }
  const slashed = encodeURIComponent("../a/b")
  expect((await call("PUT", `/labels/${slashed}`, { color: "x" })).status).toBe(201)
  expect((await call("GET", `/labels/${slashed}`)).body).toMatchObject({ name: "../a/b" })
  const made = await call("POST", "/labels", { name: "a/b\n☃" })
  expect(made.headers.get("location")).toBe(`${url}/labels/a%2Fb%0A%E2%98%83`)
  expect((await call("GET", "/labels/a%2Fb%0A%E2%98%83")).body).toEqual({ name: "a/b\n☃" })
})

it("gives ids that match the pattern of their parameter, each once", async () => {
  const sid = { type: "string", pattern: "^AC[0-9a-f]{8}$" }
  const schema = { type: "object", properties: { sid, label: { type: "string" } } }
  const answer = { description: "", content: { "application/json": { schema } } }
  const content = { "application/json": { schema: { type: "object" } } }
  const parameters = [{ name: "sid", in: "path", required: true, schema: sid }]
  const document = {
    openapi: "3.0.3",
    info: { title: "Accounts", version: "1" },
    paths: {
      "/accounts": { post: { requestBody: { content }, responses: { 201: answer } } },
      "/accounts/{sid}": { parameters, get: { responses: { 200: answer, 404: { description: "" } } } },
    },
  }
  const { urls } = await startMock(["--state"], { files: { "apis/phone/openapi.json": document } })
  const sids = new Set<string>()
  for (const label of ["a", "b", "c"]) {
    const made = await send(`${urls["phone"]}/accounts`, { method: "POST", body: { label } })
    const { sid: own } = made.body as { readonly sid: string }
    expect(own).toMatch(/^AC[0-9a-f]{8}$/)
    expect((await send(`${urls["phone"]}/accounts/${own}`)).body).toMatchObject({ sid: own, label })
    sids.add(own)
  }
  expect(sids.size).toBe(3)
})

/** Tasks that a client creates one by one or in lists, and changes by patches. */
const taskFiles = () => {
  const task = {
    type: "object",
    required: ["id", "title"],
    properties: {
      id: { type: "integer" },
      title: { type: "string" },
      tags: { type: "array", items: { type: "string" } },
      owner: { type: "object", properties: { name: { type: "string" }, mail: { type: "string" } } },
    },
  }
  const json = (schema: object) => ({ "application/json": { schema } })
  const one = { description: "", content: json(task) }
  const many = { description: "", content: json({ type: "array", items: task }) }
  const parameters = [{ name: "taskId", in: "path", required: true, schema: { type: "integer" } }]
  const sent = json({ type: "array", items: { type: "object" } })
  const patch = {
    "application/json-patch+json": { schema: { type: "array" } },
    "application/merge-patch+json": { schema: { type: "object" } },
  }
  const answers = { 200: one, 404: { description: "" }, 422: { description: "" } }
  const paths = {
    "/tasks": {
      get: { responses: { 200: many } },
      post: { requestBody: { content: sent }, responses: { 201: many, 409: { description: "" } } },
    },
    "/tasks/{taskId}": {
      parameters,
      get: { responses: { 200: one } },
      patch: { requestBody: { content: patch }, responses: answers },
    },
  }
  return { "apis/tasks/openapi.json": { openapi: "3.1.0", info: { title: "Tasks", version: "1" }, paths } }
}

async function startTasks() {
  const { urls, stop } = await startMock(["--state"], { files: taskFiles() })
  const call = (method: string, path: string, body?: unknown, type = "application/json") =>
    send(`${urls["tasks"]}${path}`, { method, body, headers: { "content-type": type } })
  return {
    stop,
    call,
    patch: (body: unknown) => call("PATCH", "/tasks/1", body, "application/json-patch+json"),
    merge: (body: unknown) => call("PATCH", "/tasks/1", body, "application/merge-patch+json"),
  }
}

it("gives no id that a client has chosen", async () => {
  const { call } = await startTasks()
  const sent = [{ title: "a", id: 1 }, { title: "b", id: 2 }, { title: "c" }, { title: "d" }]
  const { body } = await call("POST", "/tasks", sent)
  expect((body as readonly Item[]).map(({ id }) => id)).toEqual([1, 2, 3, 4])
  expect((await call("GET", "/tasks/1")).body).toMatchObject({ title: "a" })
})

it("creates every item of a list, or none", async () => {
  const { call } = await startTasks()
  const made = await call("POST", "/tasks", [{ title: "a" }, { title: "b", id: 7 }, { title: "c" }])
  expect(made).toMatchObject({
    status: 201,
    body: [
      { id: 1, title: "a" },
      { id: 7, title: "b" },
      { id: 2, title: "c" },
    ],
  })
  expect((await call("GET", "/tasks")).body).toEqual(made.body)
  expect((await call("GET", "/tasks/7")).body).toMatchObject({ title: "b" })
  expect((await call("POST", "/tasks", [{ title: "d" }, { title: "e", id: 7 }])).status).toBe(409)
  expect((await call("POST", "/tasks", [{ id: 9 }, { id: 9 }])).status).toBe(409)
  expect((await call("GET", "/tasks")).body).toHaveLength(3)
})

it("changes items by JSON Patch, all operations or none", async () => {
  const { call, patch } = await startTasks()
  await call("POST", "/tasks", [{ title: "a", tags: ["x", "y"], owner: { name: "Ann" } }])
  const changed = await patch([
    { op: "test", path: "/title", value: "a" },
    { op: "replace", path: "/title", value: "b" },
    { op: "add", path: "/tags/-", value: "z" },
    { op: "remove", path: "/tags/0" },
    { op: "move", from: "/owner/name", path: "/owner/mail" },
  ])
  const task = { id: 1, title: "b", tags: ["y", "z"], owner: { mail: "Ann" } }
  expect([changed.status, changed.body]).toEqual([200, task])
  const refused = await patch([
    { op: "replace", path: "/title", value: "c" },
    { op: "test", path: "/tags/0", value: "x" },
  ])
  expect(refused.status).toBe(422)
  expect((await patch([{ op: "add", path: "/none/deep", value: 1 }])).status).toBe(422)
  expect((await patch([{ op: "replace", path: "", value: 5 }])).status).toBe(422)
  const invalid = await patch([{ op: "swap", path: "/title" }])
  expect(invalid).toMatchObject({ status: 422 })
  expect((await call("GET", "/tasks/1")).body).toEqual(task)
  // Neither the id nor what every answer must have can be patched away.
  expect((await patch([{ op: "replace", path: "/id", value: 5 }])).body).toEqual(task)
  expect((await patch([{ op: "remove", path: "/title" }])).body).toEqual(task)
})

it("changes items by merge patches, in which null removes a member at any depth", async () => {
  const { call, merge } = await startTasks()
  await call("POST", "/tasks", [{ title: "a", tags: ["x"], owner: { name: "Ann", mail: "a@a.example" } }])
  expect((await merge({ owner: { mail: null }, tags: null })).body).toEqual({
    id: 1,
    title: "a",
    owner: { name: "Ann" },
  })
  expect((await merge({ owner: null, tags: ["y"] })).body).toEqual({ id: 1, title: "a", tags: ["y"] })
})

it("keeps no more than it can list", async () => {
  const { call, patch, stop } = await startTasks()
  const large = { title: "a", note: "x".repeat(9 * 1024 * 1024) }
  await call("POST", "/tasks", [{ title: "first" }])
  const statuses: number[] = []
  for (let at = 0; at < 16; at++) statuses.push((await call("POST", "/tasks", [large])).status)
  expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 201))
  expect(statuses.at(-1)).toBe(507)
  expect((await call("GET", "/tasks")).status).toBe(200)
  const doubles = Array.from({ length: 64 }, (_, at) => ({ op: "copy", from: "", path: `/${at}` }))
  expect((await patch(doubles)).status).toBe(422)
  expect((await stop()).stderr).toBe("")
}, 60_000)

it("keeps all of a large item", async () => {
  const { call, merge } = await startTasks()
  const numbered = (count: number) => Array.from({ length: count }, (_, at) => at)
  const members = Object.fromEntries(numbered(30_000).map((at) => [`m${at}`, { at, text: `text ${at}` }]))
  const tags = numbered(5_000).map((at) => `tag ${at}`)
  const sent = { title: "a", tags, owner: { name: "Ann", ...members }, ...members }
  await call("POST", "/tasks", [sent])
  expect((await call("GET", "/tasks/1")).body).toEqual({ id: 1, ...sent })
  expect((await call("GET", "/tasks")).body).toEqual([{ id: 1, ...sent }])
  expect((await merge({ title: "b" })).body).toEqual({ id: 1, ...sent, title: "b" })
}, 60_000)

it("gives equal ids and values in every process", async () => {
  const bodies = []
  for (let round = 0; round < 2; round++) {
    const { call } = await start()
    const made = await call("POST", "/orders", { sku: "aa", quantity: 1 })
    bodies.push(made.text, (await call("POST", `/orders/${idOf(made.body)}/notes`, {})).text)
  }
  expect(bodies.slice(2)).toEqual(bodies.slice(0, 2))
})

it("keeps 2,000 items", async () => {
  const { call } = await start()
  for (let at = 0; at < 2_000; at += 20)
    await Promise.all(
      Array.from({ length: 20 }, () => call("POST", "/labels", { name: `n-${at}-${Math.random()}` })),
    )
  expect((await call("PUT", "/labels/last", {})).status).toBe(201)
}, 60_000)
