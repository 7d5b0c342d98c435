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
