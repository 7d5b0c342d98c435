// Connections are kept while they can be trusted, are limited in number, and never repeat a request that must not be
// repeated.

import { createServer, type AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { answer } from "../fault-server/faults.ts"
import { startFaultServer, type FaultServer, type FaultServerOptions } from "../fault-server/fault-server.ts"
import { arrived, createClient, failed } from "./send.ts"

let server: FaultServer
beforeAll(async () => {
  server = await startFaultServer()
})
afterAll(() => server.close())

async function ownServer(options: FaultServerOptions = {}): Promise<FaultServer> {
  const own = await startFaultServer(options)
  onTestFinished(() => own.close())
  return own
}

describe("a kept connection", () => {
  it("serves one request after another", async () => {
    const own = await ownServer()
    const client = createClient()
    for (let index = 0; index < 20; index++) await client.send(own.url("ok"))
    expect(own.made()).toBe(1)
  })

  it("is replaced once for a GET if it is dead, and the request is sent again", async () => {
    const own = await ownServer()
    const client = createClient()
    expect(arrived(await client.send(own.url("stale-connection"))).text).toBe("connection 0")
    expect(arrived(await client.send(own.url("stale-connection"))).text).toBe("connection 1")
    expect(own.arrived).toHaveLength(3)
  })

  it("fails a POST if it is dead, and the request is sent once", async () => {
    const own = await ownServer()
    const client = createClient()
    await client.send(own.url("stale-connection"))
    const outcome = failed(await client.send(own.url("stale-connection"), { method: "POST" }))
    expect(outcome.message).toContain("ECONNRESET")
    expect(own.arrived.filter(({ method }) => method === "POST")).toHaveLength(1)
  })

  it("doesn't resend if it breaks after the first byte of a response", async () => {
    const own = await ownServer()
    const client = createClient()
    await client.send(own.url("stale-in-head"))
    failed(await client.send(own.url("stale-in-head")))
    expect(own.arrived).toHaveLength(2)
  })

  it("is not retried a second time", async () => {
    const own = await ownServer({
      answer: (socket, request) => {
        if (request.connection === 0 && request.turn === 0) socket.write(answer("ok"))
        else socket.resetAndDestroy()
      },
    })
    const client = createClient()
    await client.send(`${own.origin}/`)
    failed(await client.send(`${own.origin}/`))
    expect(own.arrived).toHaveLength(3)
  })

  it("is not reused if the server announces that it will close it soon", async () => {
    const own = await ownServer()
    const client = createClient()
    await client.send(own.url("short-keep-alive"))
    await client.send(own.url("short-keep-alive"))
    expect(own.made()).toBe(2)
  })

  it("may be closed by the server", async () => {
    const own = await ownServer()
    const client = createClient()
    for (let index = 0; index < 5; index++) {
      const response = await client.send(own.url("closes-after"), { method: "POST" })
      expect(arrived(response).text).toBe("ok")
    }
    expect(own.made()).toBe(5)
  })

  it("is closed with the port", async () => {
    const own = await ownServer()
    const client = createClient()
    await client.send(own.url("ok"))
    client.close()
    await expect.poll(() => own.open()).toBe(0)
  })
})

describe("parallel requests", () => {
  it("use no more connections than allowed, and each gets its own response", async () => {
    const own = await ownServer()
    const client = createClient({ concurrency: 3 })
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, index) => client.send(`${own.origin}/echo?${index}`)),
    )
    responses.forEach((response, index) => {
      expect(arrived(response).text).toContain(`"path":"/echo?${index}"`)
    })
    expect(own.made()).toBeLessThanOrEqual(3)
  })

  it("share the connections among servers: an idle one is closed for a new one", async () => {
    const [one, two] = [await ownServer(), await ownServer()]
    const client = createClient({ concurrency: 2 })
    await Promise.all([client.send(one.url("ok")), client.send(one.url("ok"))])
    expect(one.open()).toBe(2)
    await Promise.all([client.send(two.url("ok")), client.send(two.url("ok"))])
    await expect.poll(() => one.open() + two.open()).toBe(2)
    const mixed = Array.from({ length: 20 }, (_, index) =>
      client.send((index % 2 === 0 ? one : two).url("ok")),
    )
    for (const response of await Promise.all(mixed)) expect(arrived(response).text).toBe("ok")
  })

  it("wait no longer than their own deadline for a connection", async () => {
    const client = createClient({ concurrency: 1 })
    const blocking = client.send(server.url("silent"), { timeoutMs: 400 })
    const waiting = failed(await client.send(server.url("ok"), { timeoutMs: 150 }))
    expect(waiting.code).toBe("request-timeout")
    expect(waiting.message).toContain("while connecting")
    failed(await blocking)
    expect(arrived(await client.send(server.url("ok"))).text).toBe("ok")
  })

  it("leave no listener on a shared signal", async () => {
    const warnings: Error[] = []
    const onWarning = (warning: Error): void => void warnings.push(warning)
    process.on("warning", onWarning)
    const client = createClient({ concurrency: 30 })
    await Promise.all(Array.from({ length: 100 }, () => client.send(server.url("ok"))))
    await new Promise(setImmediate)
    process.off("warning", onWarning)
    expect(warnings).toEqual([])
  })
})

describe("an unreachable server", () => {
  it("reports that the connection was refused, and where", async () => {
    const closed = createServer().listen(0, "127.0.0.1")
    await new Promise((resolve) => closed.once("listening", resolve))
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const outcome = failed(await createClient().send(`http://127.0.0.1:${port}/secret-path?key=s3cret`))
    expect(outcome).toMatchObject({
      code: "request-failed",
      message: `127.0.0.1:${port} refused the connection (ECONNREFUSED)`,
      hint: "is the server running, and is this its port?",
    })
    const named = failed(await createClient().send(`http://localhost:${port}/`))
    expect(named.message).toBe(`localhost:${port} refused the connection (ECONNREFUSED)`)
  })

  it("reports an unknown host name", async () => {
    const outcome = failed(await createClient().send("http://no-such-host.invalid/"))
    expect(outcome.message).toMatch(
      /the host name "no-such-host\.invalid" is unknown|the DNS lookup of "no-such-host\.invalid" failed/,
    )
  })
})
