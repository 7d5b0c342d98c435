// Proxies of the process environment: used if they are set, never for loopback, with credentials only for them.

import { once } from "node:events"
import { connect, type AddressInfo, type Socket } from "node:net"
import { createServer as createTlsServer, type TLSSocket } from "node:tls"
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
      `the proxy 127.0.0.1:${proxy.port} requires a user name and password (status 407)`,
    )
    expect(outcome.hint).toContain("add them to https_proxy")
  })

  it("names the proxy if it responds to CONNECT with another status", async () => {
    const proxy = await start({ answer: (socket) => void socket.write(answer("no", [], "503 Busy")) })
    const client = createClient({ processEnvironment: { https_proxy: `http://127.0.0.1:${proxy.port}` } })
    expect(failed(await client.send("https://api.example/")).message).toBe(
      `the proxy 127.0.0.1:${proxy.port} did not open a connection to the server: it responded with status 503`,
    )
  })

  it("fails the request in time if the proxy is silent, closed or missing", async () => {
    const silent = await start({ answer: () => undefined })
    const client = createClient({ processEnvironment: { https_proxy: `127.0.0.1:${silent.port}` } })
    const late = failed(await client.send("https://api.example/", { timeoutMs: 200 }))
    expect(late).toMatchObject({ code: "request-timeout" })
    expect(late.message).toContain("while connecting")
    const gone = createClient({ processEnvironment: { https_proxy: "http://127.0.0.1:1" } })
    expect(failed(await gone.send("https://api.example/"))).toMatchObject({
      message: "the proxy 127.0.0.1:1 refused the connection (ECONNREFUSED)",
      hint: "check the process variable https_proxy, or name the server's host in NO_PROXY",
    })
  })

  it.each([
    ["HTTP_PROXY", "http://api.example/", "proxy.invalid:3128"],
    ["http_proxy", "http://api.example/", "http://proxy.invalid"],
    ["HTTPS_PROXY", "https://api.example/", "proxy.invalid"],
    ["https_proxy", "https://api.example/", "http://us:s3cret@proxy.invalid:8080"],
    ["HTTPS_PROXY", "https://api.example/", "https://proxy.invalid"],
  ])("is named with %s if its host doesn't exist (%s through %s)", async (variable, url, value) => {
    const client = createClient({ processEnvironment: { [variable]: value } })
    const { message, hint } = failed(await client.send(url))
    expect(message).toMatch(/^the (host name|DNS lookup of) "proxy\.invalid", the proxy in /)
    expect(message).toContain(variable)
    // Without a network, the lookup fails temporarily.
    if (!message.includes("EAI_AGAIN")) expect(hint).toContain(`check the process variable ${variable}`)
  })

  it("is rejected by its name if it is not a proxy URL", async () => {
    const client = createClient({ processEnvironment: { HTTPS_PROXY: "socks5://us:s3cret@127.0.0.1:1" } })
    const outcome = failed(await client.send("https://api.example/"))
    expect(outcome.message).toContain("HTTPS_PROXY is not the URL of an http or https proxy")
    expect(outcome.message).not.toContain("s3cret")
  })
})

describe("a status 407", () => {
  const refusing = (challenge: readonly string[]) =>
    start({
      answer: (socket) =>
        void socket.write(answer("who are you", challenge, "407 Proxy Authentication Required")),
    })

  it.each([
    ["", ['Proxy-Authenticate: Basic realm="a, b"'], / requires a user name and password \(status 407\)$/],
    [
      "us:s3cret@",
      ["Proxy-Authenticate: Basic"],
      / did not accept the user name and password in HTTP_PROXY \(status 407\)$/,
    ],
    [
      "",
      ["Proxy-Authenticate: NTLM"],
      /\(status 407\); it offers "NTLM", but callsheet supports only Basic$/,
    ],
    [
      "",
      ["Proxy-Authenticate: Negotiate", "Proxy-Authenticate: NTLM dG9rZW4="],
      /; it offers "Negotiate" and "NTLM", but/,
    ],
    ["", ['Proxy-Authenticate: Digest realm="x", qop="auth", Basic realm="y"'], /\(status 407\)$/],
    ["", [], / requires a user name and password \(status 407\)$/],
  ] as const)("is the proxy's: %j, %j", async (credentials, challenge, message) => {
    const proxy = await refusing(challenge)
    for (const [variable, url] of [
      ["HTTP_PROXY", "http://api.example/"],
      ["HTTPS_PROXY", "https://api.example/"],
    ] as const) {
      const processEnvironment = { [variable]: `http://${credentials}127.0.0.1:${proxy.port}` }
      const outcome = failed(await createClient({ processEnvironment }).send(url))
      expect(outcome.code).toBe("request-failed")
      expect(outcome.message).toContain(`the proxy 127.0.0.1:${proxy.port} `)
      expect(outcome.message.replace("HTTPS_PROXY", "HTTP_PROXY")).toMatch(message)
      expect(outcome.hint).toContain(variable)
      expect(JSON.stringify(outcome)).not.toContain("s3cret")
    }
  })

  it("of a server that no proxy is in front of is the server's response", async () => {
    const server = await refusing([])
    expect(arrived(await createClient().send(`${server.origin}/`)).status).toBe(407)
  })
})

describe("a name below localhost", () => {
  it.each(["app.localhost", "a.b.localhost", "APP.LocalHost", "x.localhost."])(
    "%s is this machine, with its name in the host header",
    async (host) => {
      const server = await start()
      const client = createClient({ processEnvironment: { http_proxy: "http://127.0.0.1:1" } })
      const response = arrived(await client.send(`http://${host}:${server.port}/echo`))
      expect(response.text).toContain(`"host":"${host.toLowerCase()}:${server.port}"`)
    },
  )

  it("is the server name for TLS", async () => {
    const names: (string | false | null)[] = []
    const server = createTlsServer(localhost, (socket) => {
      names.push((socket as TLSSocket & { servername: string | false | null }).servername)
      socket.on("error", () => undefined).end(answer("ok"))
    }).listen(0, "127.0.0.1")
    onTestFinished(() => void server.close())
    await once(server, "listening")
    const { port } = server.address() as AddressInfo
    const outcome = await createClient().send(`https://app.localhost:${port}/`, { verifyTls: false })
    expect(arrived(outcome).text).toBe("ok")
    expect(names).toEqual(["app.localhost"])
  })

  it("can be a proxy, for http and https", async () => {
    const origin = await start({ tls: localhost })
    const proxy = await start({ answer: proxyTo(origin) })
    const plain = await start({ answer: (socket) => void socket.write(answer("by proxy")) })
    const client = createClient({
      processEnvironment: {
        http_proxy: `http://proxy.localhost:${plain.port}`,
        https_proxy: `http://proxy.localhost:${proxy.port}`,
      },
    })
    expect(arrived(await client.send("http://api.example/")).text).toBe("by proxy")
    expect(arrived(await client.send("https://api.example/ok", { verifyTls: false })).text).toBe("ok")
  })

  it("that nothing listens on is refused, not unknown", async () => {
    expect(failed(await createClient().send("http://app.localhost:1/")).message).toBe(
      "app.localhost:1 refused the connection (ECONNREFUSED)",
    )
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
