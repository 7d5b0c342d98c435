// Other programs on this machine connect to the port of a login. The login goes on, and the user still logs in.

import { connect } from "node:net"
import { describe, expect, it } from "vitest"
import { sendRaw } from "../app-server/raw-client.ts"
import { code, startLogin, stateOf } from "./start-login.ts"

interface Door {
  readonly port: number
  readonly state: string
}

const lines = (...all: readonly string[]): string => [...all, "", ""].join("\r\n")
const get = (target: string, { port }: Door): string =>
  lines(`GET ${target} HTTP/1.1`, `Host: 127.0.0.1:${port}`)
const right = ({ state }: Door): string => `/callback?code=${code}&state=${state}`

/** Bytes by what they are. Each is a request that isn't the provider's redirect. */
const requests: Readonly<Record<string, (door: Door) => string>> = {
  "GET //": (door) => get("//", door),
  "GET http://[": (door) => get("http://[", door),
  "GET ///": (door) => get("///", door),
  "GET //[": (door) => get("//[/callback", door),
  "GET //user@:99999/": (door) => get("//user@:99999/", door),
  "GET *": (door) => get("*", door),
  "GET without a slash": (door) => get(`callback?code=${code}&state=${door.state}`, door),
  "a backslash": (door) => get("\\\\callback", door),
  "OPTIONS *": ({ port }) => lines("OPTIONS * HTTP/1.1", `Host: 127.0.0.1:${port}`),
  "the absolute form": (door) => get(`http://127.0.0.1:${door.port}${right(door)}`, door),
  "the absolute form of another scheme": (door) => get("javascript:alert(1)", door),
  CONNECT: () => lines("CONNECT 127.0.0.1:1 HTTP/1.1", "Host: 127.0.0.1:1"),
  "CONNECT to nothing": () => lines("CONNECT [ HTTP/1.1", "Host: ["),
  "an upgrade to WebSocket": ({ port }) =>
    lines("GET / HTTP/1.1", `Host: 127.0.0.1:${port}`, "Connection: Upgrade", "Upgrade: websocket"),
  "an upgrade to HTTP/2": () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "a huge header": ({ port }) =>
    lines("GET / HTTP/1.1", `Host: 127.0.0.1:${port}`, `X-Long: ${"x".repeat(100_000)}`),
  "a thousand headers": ({ port }) =>
    lines(
      "GET / HTTP/1.1",
      `Host: 127.0.0.1:${port}`,
      ...Array.from({ length: 1000 }, (_, n) => `X-${n}: 1`),
    ),
  "a huge target": (door) => get(`/${"%".repeat(100_000)}`, door),
  "invalid percent": (door) => get("/%", door),
  "invalid percent in the query": (door) => get("/callback?code=%zz&state=%&%=%", door),
  "invalid UTF-8": (door) => get("/callback?state=%ff%fe&code=%c0%80", door),
  "two Hosts": (door) =>
    lines(`GET ${right(door)} HTTP/1.1`, `Host: 127.0.0.1:${door.port}`, `Host: 127.0.0.1:${door.port}`),
  "no Host": (door) => lines(`GET ${right(door)} HTTP/1.1`),
  "an empty Host": (door) => lines(`GET ${right(door)} HTTP/1.1`, "Host:"),
  "HTTP/1.0": () => lines("GET / HTTP/1.0"),
  "HTTP/1.0 without Host": (door) => lines(`GET ${right(door)} HTTP/1.0`),
  "another Host": (door) => lines(`GET ${right(door)} HTTP/1.1`, `Host: attacker.example:${door.port}`),
  localhost: (door) => lines(`GET ${right(door)} HTTP/1.1`, `Host: localhost:${door.port}`),
  "another port": (door) => lines(`GET ${right(door)} HTTP/1.1`, `Host: 127.0.0.1:${door.port + 1}`),
  "POST /callback": (door) =>
    lines(`POST ${right(door)} HTTP/1.1`, `Host: 127.0.0.1:${door.port}`, "Content-Length: 0"),
  "HEAD /callback": (door) => lines(`HEAD ${right(door)} HTTP/1.1`, `Host: 127.0.0.1:${door.port}`),
  "an Expect header": ({ port }) =>
    lines("GET // HTTP/1.1", `Host: 127.0.0.1:${port}`, "Expect: 100-continue"),
  "an unknown Expect header": ({ port }) =>
    lines("GET // HTTP/1.1", `Host: 127.0.0.1:${port}`, "Expect: the-worst"),
  "a repeated state": (door) => get(`${right(door)}&state=${door.state}`, door),
  "a second state": (door) => get(`/callback?state=wrong&state=${door.state}&code=${code}`, door),
  "a repeated code": (door) => get(`${right(door)}&code=other`, door),
  "a code and an error": (door) => get(`${right(door)}&error=access_denied`, door),
  "an empty code": (door) => get(`/callback?code=&state=${door.state}`, door),
  "no state": (door) => get(`/callback?code=${code}`, door),
  "a state in other case": (door) => get(`/callback?code=${code}&state=${swapCase(door.state)}`, door),
  "a state that is Object's": (door) => get(`/callback?code=${code}&state=__proto__`, door),
  "another path": (door) => get(`/callback/?code=${code}&state=${door.state}`, door),
  "a path with dots": (door) => get(`/x/..${right(door)}`, door),
  "an encoded path": (door) => get(`/%63allback?code=${code}&state=${door.state}`, door),
  "a path in upper case": (door) => get(`/CALLBACK?code=${code}&state=${door.state}`, door),
  "not HTTP": () => "\u0016\u0003\u0001\u0002\u0000\r\n\r\n",
  "no request line": () => "\r\n\r\n\r\n\r\n",
}

const swapCase = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase()))

describe("a login", () => {
  it(
    "goes on whatever another program sends, and takes the right callback afterwards",
    { timeout: 120_000 },
    async () => {
      const { provider, run } = await startLogin()
      const statuses = new Map<string, number>()
      const { exitCode, stderr } = await run(async ({ url, answer }) => {
        const port = Number(new URL(url.searchParams.get("redirect_uri") ?? "").port)
        const door: Door = { port, state: stateOf(url) }
        for (const [name, bytes] of Object.entries(requests))
          statuses.set(name, (await sendRaw(port, bytes(door))).status)
        expect(provider.forms).toEqual([])
        expect(await answer({ code, state: stateOf(url) })).toBe(200)
      })
      expect({ exitCode, bug: stderr.includes("bug") }).toEqual({ exitCode: 0, bug: false })
      const refused = [...statuses].filter(([, status]) => status === 0 || (status >= 400 && status < 500))
      expect(refused.length, JSON.stringify([...statuses])).toBe(Object.keys(requests).length)
      expect(provider.forms).toHaveLength(1)
    },
  )

  it("lets the browser in while other programs keep connections open", { timeout: 60_000 }, async () => {
    const { run } = await startLogin()
    const { exitCode } = await run(async ({ url, answer }) => {
      const port = Number(new URL(url.searchParams.get("redirect_uri") ?? "").port)
      const sockets = Array.from({ length: 200 }, () => {
        const socket = connect({ port, host: "127.0.0.1" }).on("error", () => undefined)
        socket.write("GET /callback HTTP/1.1\r\nX: ")
        return socket
      })
      await Promise.all(
        sockets.map(
          (socket) => new Promise((resolve) => socket.once("connect", resolve).once("close", resolve)),
        ),
      )
      expect(await answer({ code, state: stateOf(url) })).toBe(200)
      for (const socket of sockets) socket.destroy()
    })
    expect(exitCode).toBe(0)
  })

  it("closes a connection on which no request arrives", { timeout: 60_000 }, async () => {
    const { run } = await startLogin()
    const { exitCode } = await run(async ({ url, answer }) => {
      const port = Number(new URL(url.searchParams.get("redirect_uri") ?? "").port)
      expect((await sendRaw(port, "GET /callback HTTP/1.1\r\nX: ")).status).toBe(408)
      expect(await answer({ code, state: stateOf(url) })).toBe(200)
    })
    expect(exitCode).toBe(0)
  })
})
