// Proxies of the process environment: used if they are set, never for loopback, with credentials only for them.

import { connect, type Socket } from "node:net"
import { describe, expect, it, onTestFinished } from "vitest"
import { answer } from "../fault-server/faults.ts"
import {
  startFaultServer,
  type Fault,
  type FaultServer,
  type FaultServerOptions,
} from "../fault-server/fault-server.ts"
import { localhost } from "../harness/certificates.ts"
import { arrived, createClient, failed } from "./send.ts"

async function start(options: FaultServerOptions = {}): Promise<FaultServer> {
  const server = await startFaultServer(options)
  onTestFinished(() => server.close())
  return server
}

/** A proxy that routes every host to one server on loopback. */
const proxyTo =
  (target: FaultServer): Fault =>
  (socket, request) => {
    const upstream = connect(target.port, "127.0.0.1")
    upstream.on("error", () => socket.destroy())
    socket.on("close", () => upstream.destroy())
    if (request.method === "CONNECT") {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
      socket.removeAllListeners("data")
      socket.pipe(upstream).pipe(socket)
    } else relay(socket, upstream, request.head, request.body)
  }

function relay(socket: Socket, upstream: Socket, head: string, body: string): void {
  const [, rest = ""] = /^\S+ \S+ (.*)$/s.exec(head) ?? []
  const path = new URL(head.split(" ")[1] ?? "").pathname
  upstream.write(`${head.split(" ")[0]} ${path} ${rest}\r\n\r\n${body}`)
  upstream.pipe(socket, { end: false })
}

describe("HTTP_PROXY", () => {
  it("receives the full URL and its own credentials, which nobody else sees", async () => {
    const proxy = await start({ answer: (socket) => void socket.write(answer("by proxy")) })
    const client = createClient({
      processEnvironment: { http_proxy: `http://us:p%40ss@127.0.0.1:${proxy.port}` },
    })
    const response = arrived(await client.send("http://api.example:8080/a/../b?c=1"))
    expect(response.text).toBe("by proxy")
    expect(proxy.arrived[0]).toMatchObject({
      path: "http://api.example:8080/a/../b?c=1",
      headers: {
        host: "api.example:8080",
        "proxy-authorization": `Basic ${Buffer.from("us:p@ss").toString("base64")}`,
      },
    })
    expect(JSON.stringify(client.sent)).not.toContain("proxy-authorization")
  })

  it("may use TLS itself, and then needs a trusted certificate", async () => {
    const proxy = await start({ tls: localhost })
    const client = createClient({ processEnvironment: { http_proxy: `https://127.0.0.1:${proxy.port}` } })
    const outcome = failed(await client.send("http://api.example/", { verifyTls: false }))
    expect(outcome.message).toContain("self-signed")
  })
})

describe("HTTPS_PROXY", () => {
  it("opens a tunnel, and the server learns nothing about the proxy", async () => {
    const origin = await start({ tls: localhost })
    const proxy = await start({ answer: proxyTo(origin) })
    const client = createClient({
      processEnvironment: { HTTPS_PROXY: `http://us:pw@127.0.0.1:${proxy.port}` },
    })
    for (let turn = 0; turn < 2; turn++) {
      const response = arrived(await client.send("https://api.example/echo", { verifyTls: false }))
      expect(response.text).toContain('"host":"api.example"')
      expect(response.text).not.toContain("proxy")
    }
    expect(proxy.arrived).toHaveLength(1)
    expect(proxy.arrived[0]).toMatchObject({
      method: "CONNECT",
      path: "api.example:443",
      headers: { "proxy-authorization": `Basic ${Buffer.from("us:pw").toString("base64")}` },
    })
    expect(failed(await client.send("https://api.example/echo")).message).toContain("self-signed")
  })

  it("fails the request if the proxy rejects it, and doesn't take the response for the server's", async () => {
    const proxy = await start({
      answer: (socket) => void socket.write(answer("who are you", [], "407 Proxy Authentication Required")),
    })
    const client = createClient({ processEnvironment: { https_proxy: `http://127.0.0.1:${proxy.port}` } })
    const outcome = failed(await client.send("https://api.example/"))
    expect(outcome.message).toBe(
      "the proxy did not open a connection to the server: it responded with status 407",
    )
    expect(outcome.hint).toContain("user name and password")
  })

  it("fails the request in time if the proxy is silent, closed or missing", async () => {
    const silent = await start({ answer: () => undefined })
    const client = createClient({ processEnvironment: { https_proxy: `127.0.0.1:${silent.port}` } })
    const late = failed(await client.send("https://api.example/", { timeoutMs: 200 }))
    expect(late).toMatchObject({ code: "request-timeout" })
    expect(late.message).toContain("while connecting")
    const gone = createClient({ processEnvironment: { https_proxy: "http://127.0.0.1:1" } })
    expect(failed(await gone.send("https://api.example/")).message).toBe(
      "the proxy 127.0.0.1:1 refused the connection (ECONNREFUSED)",
    )
  })

  it("is rejected by its name if it is not a proxy URL", async () => {
    const client = createClient({ processEnvironment: { HTTPS_PROXY: "socks5://us:s3cret@127.0.0.1:1" } })
    const outcome = failed(await client.send("https://api.example/"))
    expect(outcome.message).toContain("HTTPS_PROXY is not the URL of an http or https proxy")
    expect(outcome.message).not.toContain("s3cret")
  })
})

describe("loopback and NO_PROXY", () => {
  it("loopback is never proxied", async () => {
    const proxy = await start()
    const origin = await start()
    const client = createClient({ processEnvironment: { http_proxy: `http://127.0.0.1:${proxy.port}` } })
    expect(arrived(await client.send(origin.url("ok"))).text).toBe("ok")
    expect(arrived(await client.send(`http://localhost:${origin.port}/ok`)).text).toBe("ok")
    expect(proxy.arrived).toEqual([])
  })
})
