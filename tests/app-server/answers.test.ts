// Checks the parts that every response must have and must not have: headers, errors,
// redirects, events.

import { homedir, tmpdir } from "node:os"
import { CallsheetError } from "@callsheet/format"
import type { Asset } from "@callsheet/server"
import { connect } from "node:net"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { defaultLimits } from "../../packages/server/src/door/limits.ts"
import { everyRoute } from "./every-route.ts"
import { requestText, sendRaw, type RawAnswer } from "./raw-client.ts"
import { json, startTestApp, type TestApp } from "./start-test-app.ts"
import { tell } from "../harness/tell.ts"
import { until } from "./until.ts"

let app: TestApp
let fail: () => never
const root = "/nowhere/project"
beforeEach(async () => {
  const handlers = { "project.read": async () => fail() }
  app = await startTestApp({ handlers, root, limits: { heartbeatMs: 20 } })
})
afterEach(() => app.close())

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

describe("every response", () => {
  it("tells the browser what it may do with it, whatever its status", async () => {
    fail = () => {
      throw new TypeError("a bug")
    }
    const routes = (await everyRoute(app)).filter(({ name }) => name !== "POST /events")
    const answers: RawAnswer[] = []
    for (const { request } of routes) {
      answers.push(await app.send(request))
      answers.push(await app.send({ ...request, headers: [["host", "evil.example"]] }))
      answers.push(await app.send({ ...request, headers: [] }))
      answers.push(await app.send({ ...request, headers: [json] }))
      answers.push(await app.send({ ...request, method: "OPTIONS" }))
    }
    answers.push(await app.send({ target: "/nowhere" }))
    answers.push(await sendRaw(app.port, "no request at all\r\n\r\n"))
    answers.push(await sendRaw(app.port, `CONNECT ${app.host} HTTP/1.1\r\nHost: ${app.host}\r\n\r\n`))
    answers.push(await app.send({ headers: [["x", "y".repeat(17 * 1024)]] }))
    expect(new Set(answers.map(({ status }) => status))).toEqual(
      new Set([200, 400, 401, 403, 404, 405, 415, 431, 500]),
    )
    for (const { headers } of answers) expect(headers).toMatchObject(safe)
  })

  it("redirects nowhere, and offers no download", async () => {
    const inputs = ["/%0d%0aLocation:%20http://evil.example", "//evil.example", "/?next=http://evil.example"]
    for (const target of inputs) {
      const { text, status } = await app.send({ target, headers: [["x-forwarded-host", "evil.example"]] })
      expect(status).toBeGreaterThanOrEqual(400)
      expect(text).not.toMatch(/location:|content-disposition:|evil\.example/i)
    }
  })
})

const safe = {
  "content-security-policy": policy,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
}

describe("an error in a handler", () => {
  it("ends only that request, and tells the page only that it is a bug", async () => {
    fail = () => {
      throw new TypeError(`s3cret-value of ${root}`)
    }
    const session = await app.enter()
    const answer = await app.post("/api/project.read", {}, session)
    // The server closed the connection. Otherwise, the socket would have waited for it.
    expect(answer.headers["connection"]).toBe("close")
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      500,
      { code: "internal", message: "a bug in callsheet: please report it, with the terminal's output" },
    ])
    expect(app.bugs).toEqual([expect.any(TypeError)])
    expect((await app.post("/api/problems.read", {}, session)).status).toBe(200)
  })

  it("is reported with code, message and hint if it is misuse", async () => {
    fail = () => {
      throw new CallsheetError({
        code: "api-unknown",
        message: 'no API is called "shop"',
        hint: "there is store",
      })
    }
    const answer = await app.post("/api/project.read", {}, await app.enter())
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      400,
      { code: "api-unknown", message: 'no API is called "shop"', hint: "there is store" },
    ])
    expect(app.bugs).toEqual([])
  })

  it("contains no path outside the project", async () => {
    const lock = `${tmpdir()}/callsheet-locks-0/abc.lock`
    fail = () => {
      throw new CallsheetError({
        code: "locked",
        message: `"${root}/apis/shop.json" is locked, and so is ${root}`,
        hint: `remove ${lock}, or ${homedir()}/.x/y, and GET /orders/{id}`,
      })
    }
    const answer = await app.post("/api/project.read", {}, await app.enter())
    expect(JSON.parse(answer.body)).toEqual({
      code: "locked",
      message: '"apis/shop.json" is locked, and so is .',
      hint: "remove … or … and GET /orders/{id}",
    })
  })

  it("is a bug if a handler's result is not JSON", async () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    await app.close()
    app = await startTestApp({ handlers: { "project.read": async () => circle as never } })
    const session = await app.enter()
    expect((await app.post("/api/project.read", {}, session)).status).toBe(500)
    expect((await app.post("/api/problems.read", {}, session)).status).toBe(200)
  })
})

describe("events", () => {
  it("are lines of JSON, with empty lines in between as a heartbeat", async () => {
    const page = openEvents(app, await app.enter())
    await until(() => app.listeners() === 1)
    app.emit({ type: "project.changed", revision: 1 })
    app.emit({ type: "project.changed", revision: 2 })
    await until(() => (page.text().match(/\r\n1\r\n\n\r\n/g) ?? []).length >= 3)
    expect(page.text()).toContain("content-type: application/x-ndjson")
    expect(page.text()).toContain("x-content-type-options: nosniff")
    const lines = page.text().split(/\r?\n/)
    expect(lines.filter((line) => line.startsWith("{"))).toEqual([
      '{"type":"project.changed","revision":1}',
      '{"type":"project.changed","revision":2}',
    ])
    page.close()
    await until(() => app.listeners() === 0)
  })

  it("are not stored for a page that does not read", async () => {
    await app.close()
    app = await startTestApp({ limits: { unreadBytes: 1_000 } })
    const page = openEvents(app, await app.enter())
    await until(() => app.listeners() === 1)
    page.stopReading()
    const long = { type: "project.changed", revision: 1, padding: "x".repeat(100_000) } as const
    for (let count = 0; count < 1_000 && app.listeners() > 0; count++) app.emit(long)
    await until(() => app.listeners() === 0)
  })

  it("leak no memory, neither for a page that listens for eight hours nor for one that reconnects repeatedly", async () => {
    await app.close()
    // The number of heartbeats in eight hours.
    const beats = (8 * 60 * 60_000) / defaultLimits.heartbeatMs
    app = await startTestApp({ limits: { heartbeatMs: 1 } })
    const session = await app.enter()
    const listenFor = async (count: number): Promise<void> => {
      const page = openEvents(app, session)
      await until(() => page.text().split("\r\n1\r\n\n").length > count)
      page.close()
      await until(() => app.listeners() === 0)
    }
    await listenFor(100)
    const before = heapInUse()
    await listenFor(beats)
    for (let turn = 0; turn < 200; turn++) await listenFor(1)
    const grown = heapInUse() - before
    expect(grown).toBeLessThan(512 * 1024)
    tell(`memory after ${beats} heartbeats and 200 streams: ${Math.round(grown / 1024)} KiB more`)
  }, 120_000)

  it("are sent to a limited number of pages", async () => {
    await app.close()
    app = await startTestApp({ limits: { streams: 2 } })
    const session = await app.enter()
    const pages = [openEvents(app, session), openEvents(app, session)]
    await until(() => app.listeners() === 2)
    expect((await app.post("/events", {}, session)).status).toBe(429)
    for (const page of pages) page.close()
    await until(() => app.listeners() === 0)
    const next = openEvents(app, session)
    await until(() => app.listeners() === 1)
    next.close()
  })
})

describe("assets", () => {
  it("are compressed if the client accepts that", async () => {
    const zipped = Buffer.from("zipped")
    const script: Asset = {
      type: "text/javascript",
      bytes: Buffer.from("plain"),
      gzipped: async () => zipped,
    }
    await app.close()
    app = await startTestApp({ assets: new Map([["/x.js", script]]) })
    const get = async (accept: string) => {
      const { body, headers } = await app.send({ target: "/x.js", headers: [["accept-encoding", accept]] })
      return [body, headers["content-encoding"], headers["vary"], headers["content-type"]]
    }
    expect(await get("gzip, deflate, br")).toEqual(["zipped", "gzip", "accept-encoding", "text/javascript"])
    expect(await get("br")).toEqual(["plain", undefined, "accept-encoding", "text/javascript"])
    expect(await get("gzip;q=0")).toEqual(["plain", undefined, "accept-encoding", "text/javascript"])
  })
})

/** Measures memory after garbage collection. */
function heapInUse(): number {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  collect()
  return process.memoryUsage().heapUsed
}

function openEvents(to: TestApp, session: readonly (readonly [string, string])[]) {
  let text = ""
  const socket = connect({ port: to.port, host: "127.0.0.1" })
  const headers = [["host", to.host] as const, json, ...session]
  socket.on("error", () => undefined).on("data", (chunk: Buffer) => (text += chunk.toString()))
  socket.write(requestText({ method: "POST", target: "/events", headers, body: "{}" }))
  return { text: () => text, close: () => socket.destroy(), stopReading: () => socket.pause() }
}
