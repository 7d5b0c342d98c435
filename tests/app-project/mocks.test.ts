// Calls about mocks: they start and stop a mock of an API on loopback, and return the requests that it received.

import { describe, expect, it, onTestFinished } from "vitest"
import { createMockHandlers, type Output } from "@callsheet/server"
import { openProject, type Files } from "./open-project.ts"

const SECRET = "s3cr3t-of-local"

const shop: Files = {
  "apis/shop/openapi.json": {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    servers: [{ url: "https://shop.example/v1" }],
    paths: {
      "/orders": {
        get: {
          operationId: "listOrders",
          parameters: [
            { name: "limit", in: "query", schema: { type: "integer", maximum: 100 } },
            { name: "note", in: "query", schema: { type: "string" } },
          ],
          responses: {
            200: {
              description: "",
              content: { "application/json": { schema: { type: "array", items: { type: "string" } } } },
            },
          },
        },
      },
    },
  },
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: { baseUrl: { type: "string" }, apiKey: { type: "string", secret: true } },
  },
  "apis/shop/environments/local.json": { baseUrl: "http://127.0.0.1:1" },
  "apis/shop/environments/local.secrets.env": `apiKey=${SECRET}\n`,
  "apis/broken/openapi.json": '{ "openapi": ',
  "apis/workflow/nothing.json": { version: 1, blocks: [] },
}

async function opened(isRemote = false) {
  const { root, overview, put } = await openProject(shop)
  const mocks = createMockHandlers({
    root,
    overview,
    isRemote: () => isRemote,
    onBug: (error) => {
      throw error
    },
  })
  onTestFinished(mocks.close)
  const { handlers } = mocks
  const read = () => handlers["mocks.read"]({ api: "shop" })
  const start = async (keepsState = false) =>
    onlyOn(await handlers["mocks.start"]({ api: "shop", keepsState }))
  return { ...mocks, read, start, put }
}

function onlyOn(view: Output<"mocks.read">): Extract<Output<"mocks.read">, { is: "on" }> {
  if (view.is === "off") throw new Error("the mock is off")
  return view
}

describe("the mock of an API", () => {
  it("starts on loopback, answers from the document and ends with the app", async () => {
    const { read, start, close } = await opened()
    expect(await read()).toEqual({ is: "off" })
    const { url } = await start()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/)
    expect((await fetch(`${url}/orders`)).status).toBe(200)
    await close()
    await expect(fetch(`${url}/orders`)).rejects.toThrow()
  })

  it("is one, whoever starts it, until it is stopped", async () => {
    const { handlers, start, read } = await opened()
    const [{ url }, other] = await Promise.all([start(), start(true)])
    expect(other).toMatchObject({ url, keepsState: false })
    expect(await handlers["mocks.stop"]({ api: "shop" })).toEqual({ is: "off" })
    await expect(fetch(`${url}/orders`)).rejects.toThrow()
    expect(await read()).toEqual({ is: "off" })
    expect((await start(true)).keepsState).toBe(true)
  })

  it("lists requests with why they were refused and the line of the document, newest first", async () => {
    const { start, read, events } = await opened()
    const { url } = await start()
    const heard = new Promise((resolve) => events.subscribe(resolve))
    await fetch(`${url}/orders`)
    await fetch(`${url}/orders?limit=500`)
    expect(await heard).toEqual({ type: "mock.changed", api: "shop" })
    const { calls, count } = onlyOn(await read())
    expect(count).toBe(2)
    expect(calls).toMatchObject([
      {
        number: 2,
        method: "GET",
        target: "/v1/orders?limit=500",
        status: 400,
        request: [
          {
            message: expect.stringMatching(/^\/query\/limit: /),
            file: "apis/shop/openapi.json",
            line: expect.any(Number),
          },
        ],
      },
      { number: 1, target: "/v1/orders", status: 200, request: [] },
    ])
  })

  it("answers from a changed document, and keeps the last one that can be read", async () => {
    const { start, read, events, put } = await opened()
    const { url } = await start()
    const changed = (holds: () => Promise<boolean>) =>
      new Promise<void>((resolve) => {
        events.subscribe(() => void holds().then((isTrue) => isTrue && resolve()))
      })
    const file = "apis/shop/openapi.json"
    const isBroken = async () => onlyOn(await read()).broken !== undefined
    const broken = changed(isBroken)
    await put({ [file]: '{ "openapi": ' })
    await broken
    expect(onlyOn(await read()).broken).toMatchObject({ file, line: 1 })
    expect((await fetch(`${url}/orders`)).status).toBe(200)
    const repaired = changed(async () => !(await isBroken()))
    const paths = { "/new": { get: { responses: { 204: { description: "" } } } } }
    await put({ [file]: { openapi: "3.1.0", info: { title: "Shop", version: "2" }, paths } })
    await repaired
    expect((await fetch(`${url}/new`)).status).toBe(204)
  })

  it("masks the secrets of the project and keeps only the latest requests", async () => {
    const { start, read } = await opened()
    const { url } = await start()
    for (let sent = 0; sent < 205; sent++) await fetch(`${url}/orders?limit=${sent}`)
    await fetch(`${url}/orders?note=${SECRET}`)
    const view = onlyOn(await read())
    expect(view.count).toBe(206)
    expect(view.calls).toHaveLength(200)
    expect(view.calls[0]).toMatchObject({ number: 206, target: "/v1/orders?note=***" })
    expect(JSON.stringify(view)).not.toContain(SECRET)
  })

  it("is refused with the problems of a broken document, and while other machines can reach the app", async () => {
    const { handlers } = await opened()
    await expect(handlers["mocks.start"]({ api: "broken", keepsState: false })).rejects.toMatchObject({
      status: 422,
      code: "document-invalid",
      details: { problems: [{ file: "apis/broken/openapi.json" }] },
    })
    expect(await handlers["mocks.read"]({ api: "broken" })).toEqual({ is: "off" })
    await expect(handlers["mocks.start"]({ api: "none", keepsState: false })).rejects.toMatchObject({
      code: "api-unknown",
    })
    const remote = await opened(true)
    await expect(remote.start()).rejects.toMatchObject({ status: 403, code: "remote-refused" })
  })
})
