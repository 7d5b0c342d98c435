// Checks the server's limits, and that it serves other clients at the same time.

import { connect, type Socket } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { sendRaw } from "./raw-client.ts"
import { json, startTestApp, type TestApp } from "./start-test-app.ts"
import { until } from "./until.ts"
import { tell } from "../harness/tell.ts"

const MEBIBYTE = 1024 * 1024
const apps: TestApp[] = []
const sockets: Socket[] = []
const start: typeof startTestApp = async (options) => {
  const app = await startTestApp(options)
  apps.push(app)
  return app
}
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await Promise.all(apps.splice(0).map((app) => app.close()))
})

describe("a body", () => {
  it("of 11 MiB is rejected with 413, with a length and without", async () => {
    const app = await start()
    const session = await app.enter()
    const body = "x".repeat(11 * MEBIBYTE)
    const whole = await app.send({
      method: "POST",
      target: "/api/project.read",
      headers: [json, ...session],
      body,
    })
    expect([whole.status, JSON.parse(whole.body)]).toEqual([
      413,
      { code: "too-large", message: "the body is too large" },
    ])
    const head = headOf(app, [...session, ["transfer-encoding", "chunked"]])
    const chunk = `${MEBIBYTE.toString(16)}\r\n${"x".repeat(MEBIBYTE)}\r\n`
    const chunked = await sendRaw(app.port, [head, ...Array.from({ length: 11 }, () => chunk), "0\r\n\r\n"])
    expect(chunked.status).toBe(413)
    expect(app.calls).toEqual([])
  })

  it("of a gibibyte is rejected by its length, before it is received", async () => {
    const app = await start()
    const answer = await sendRaw(
      app.port,
      headOf(app, [...(await app.enter()), ["content-length", String(1024 * MEBIBYTE)]]),
    )
    expect(answer.status).toBe(413)
  })

  it("may have 10 MiB", async () => {
    const app = await start()
    const padding = " ".repeat(10 * MEBIBYTE - 2)
    const headers = [json, ...(await app.enter())]
    const answer = await app.send({
      method: "POST",
      target: "/api/project.read",
      headers,
      body: `{${padding}}`,
    })
    expect(answer.status).toBe(200)
  })

  it("may have a kibibyte without a session", async () => {
    const app = await start()
    const long = await app.post("/session", { link: "x".repeat(1024) })
    expect(long.status).toBe(413)
  })

  it("that arrives slowly is abandoned with 408", async () => {
    const app = await start({ limits: { headersTimeoutMs: 100, requestTimeoutMs: 200 } })
    const answer = await sendRaw(
      app.port,
      `${headOf(app, [...(await app.enter()), ["content-length", "5"]])}{`,
    )
    expect([answer.status, answer.headers["x-content-type-options"]]).toEqual([408, "nosniff"])
    expect(app.calls).toEqual([])
  })
})

describe("headers", () => {
  it("that arrive slowly are abandoned with 408", async () => {
    const app = await start({ limits: { headersTimeoutMs: 100, requestTimeoutMs: 200 } })
    const answer = await sendRaw(app.port, `GET / HTTP/1.1\r\nHost: ${app.host}\r\nX: `)
    expect([answer.status, answer.headers["x-content-type-options"]]).toEqual([408, "nosniff"])
  })

  it("of more than 16 KiB are rejected with 431", async () => {
    const app = await start()
    const answer = await app.send({ headers: [["x", "y".repeat(17 * 1024)]] })
    expect([answer.status, answer.headers["x-content-type-options"]]).toEqual([431, "nosniff"])
  })
})

describe("connections", () => {
  it("are at most 64, and idle ones block nobody", async () => {
    const app = await start()
    const idle = await Promise.all(Array.from({ length: 100 }, () => idleConnection(app.port)))
    const begun = performance.now()
    const answers = []
    for (let count = 0; count < 5; count++) answers.push(await app.send({}))
    const tookMs = performance.now() - begun
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    await until(() => idle.filter(({ destroyed }) => destroyed).length >= 36)
    expect(idle.filter(({ destroyed }) => !destroyed).length).toBeLessThanOrEqual(64)
    // A generous limit that is still shorter than the timeout of idle connections.
    expect(tookMs).toBeLessThan(5_000)
    tell(`connections: 100 idle ones, ${idle.filter(({ destroyed }) => destroyed).length} closed, 5 answers`)
  })

  it("of a session stay when others arrive", async () => {
    const app = await start({ limits: { connections: 4 } })
    const events = connect({ port: app.port, host: "127.0.0.1" })
    sockets.push(events)
    let text = ""
    events.on("data", (chunk: Buffer) => (text += chunk.toString()))
    const head = headOf(app, [...(await app.enter()), ["content-length", "2"]], "/events")
    events.write(`${head}{}`)
    await until(() => app.listeners() === 1)
    await Promise.all(Array.from({ length: 12 }, () => idleConnection(app.port)))
    expect((await app.send({})).status).toBe(200)
    app.emit({ type: "project.changed", revision: 7 })
    await until(() => text.includes('"revision":7'))
    expect(events.destroyed).toBe(false)
  })
})

type Headers = readonly (readonly [string, string])[]

const headOf = (app: TestApp, headers: Headers, target = "/api/project.read"): string =>
  [
    `POST ${target} HTTP/1.1`,
    `Host: ${app.host}`,
    ...[json, ...headers].map(([name, value]) => `${name}: ${value}`),
    "",
    "",
  ].join("\r\n")

/** A connection that sends nothing. */
function idleConnection(port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" }, () => resolve(socket))
    sockets.push(socket)
    socket.on("error", () => undefined).resume()
  })
}
