// Documents that change while their mock runs: it answers from the new version, or from the last one that can be read.

import { renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { send, startMock } from "./mock-process.ts"

const FILE = "apis/shop/openapi.json"
const PART = "shared/order.json"

/** A document whose orders have the example `name`, and whose schema is in another directory. */
const documentOf = (name: string, more: object = {}) => ({
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/orders": {
      get: {
        operationId: "listOrders",
        responses: { 200: answer({ type: "array", items: { $ref: `../../${PART}` } }) },
      },
      post: {
        operationId: "createOrder",
        requestBody: { content: json({ type: "object" }) },
        responses: { 201: answer({ $ref: `../../${PART}` }) },
      },
    },
    "/orders/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      get: {
        operationId: "getOrder",
        responses: { 200: answer({ $ref: `../../${PART}` }), 404: { description: "" } },
      },
    },
    "/name": {
      get: { responses: { 200: { description: "", content: json({ type: "string" }, { example: name }) } } },
    },
    ...more,
  },
})
const json = (schema: object, more: object = {}) => ({ "application/json": { schema, ...more } })
const answer = (schema: object) => ({ description: "", content: json(schema) })

const orderOf = (field: string) => ({
  type: "object",
  required: ["id", field],
  properties: { id: { type: "integer" }, [field]: { type: "string" } },
})

async function start(words: readonly string[] = []) {
  const mock = await startMock(words, { files: { [FILE]: documentOf("one"), [PART]: orderOf("note") } })
  const url = mock.urls["shop"] ?? ""
  return {
    ...mock,
    url,
    /** Writes a file as editors do: beside it, then over it. */
    put: (file: string, value: unknown) => {
      const text = typeof value === "string" ? value : JSON.stringify(value)
      writeFileSync(join(mock.folder, `${file}.tmp`), text)
      renameSync(join(mock.folder, `${file}.tmp`), join(mock.folder, file))
    },
    name: async () => (await send(`${url}/name`)).body,
  }
}

it("answers from the new document, with one line in the log", async () => {
  const { put, said, name, url, stop } = await start()
  expect(await name()).toBe("one")
  put(FILE, documentOf("two", { "/new": { get: { responses: { 204: { description: "" } } } } }))
  await said("new apis/shop/openapi.json")
  expect(await name()).toBe("two")
  expect((await send(`${url}/new`)).status).toBe(204)
  const { lines, exitCode } = await stop()
  expect(exitCode).toBe(0)
  expect(lines.filter((line) => line.includes("openapi.json"))).toEqual([
    "shop answers from the new apis/shop/openapi.json",
  ])
})

it("keeps the last version that can be read, says so once, and goes on after the repair", async () => {
  const { put, said, name, stop, folder } = await start()
  put(FILE, '{\n  "openapi": ')
  await said("keeps answering as before")
  expect(await name()).toBe("one")
  put("apis/shop/other.txt", "nothing of the document")
  put(FILE, documentOf("two"))
  await said("answers from the new")
  expect(await name()).toBe("two")
  rmSync(join(folder, FILE))
  await said("no OpenAPI document")
  expect(await name()).toBe("two")
  const { lines, stderr } = await stop()
  expect(stderr).toBe("")
  const notes = lines.filter((line) => !line.startsWith("shop GET"))
  expect(notes).toHaveLength(3)
  expect(notes[0]).toMatch(
    /^shop warning: keeps answering as before, because of apis\/shop\/openapi\.json:2: /,
  )
})

it("notices changes of the files that the document refers to", async () => {
  const { put, said, url } = await start(["--json"])
  const orders = async () => (await send(`${url}/orders`)).body
  expect(await orders()).toEqual([{ id: 1, note: "note" }])
  put(PART, orderOf("title"))
  await said('"document":"apis/shop/openapi.json"')
  expect(await orders()).toEqual([{ id: 1, title: "title" }])
})

it("keeps what clients have created, and goes on counting", async () => {
  const { put, said, url } = await start(["--state"])
  const create = (note: string) => send(`${url}/orders`, { method: "POST", body: { note } })
  expect((await create("a")).body).toEqual({ id: 1, note: "a" })
  put(FILE, documentOf("two"))
  await said("answers from the new")
  expect((await send(`${url}/orders/1`)).body).toEqual({ id: 1, note: "a" })
  expect((await create("b")).body).toEqual({ id: 2, note: "b" })
  expect((await send(`${url}/orders`)).body).toHaveLength(2)
})
