// Checks sent requests: the caller's headers unchanged, few defaults, and nothing that HTTP doesn't allow.

import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { startFaultServer, type Arrived, type FaultServer } from "../fault-server/fault-server.ts"
import { arrived, createClient, failed } from "./send.ts"

let server: FaultServer
beforeAll(async () => {
  server = await startFaultServer()
})
afterAll(() => server.close())

async function echo(
  request: Parameters<ReturnType<typeof createClient>["send"]>[1] = {},
  path = "/echo",
): Promise<Arrived> {
  return JSON.parse(arrived(await createClient().send(server.origin + path, request)).text) as Arrived
}

describe("a request", () => {
  it("has few default headers, and reports them as sent", async () => {
    const client = createClient()
    const got = JSON.parse(arrived(await client.send(server.url("echo"))).text) as Arrived
    const headers = {
      host: `127.0.0.1:${server.port}`,
      "user-agent": "callsheet/test",
      accept: "*/*",
      "accept-encoding": "gzip, deflate, br",
      connection: "keep-alive",
    }
    expect(got.headers).toEqual(headers)
    expect(client.sent).toEqual([{ method: "GET", url: server.url("echo"), headers }])
  })

  it("keeps the caller's headers, in their case and order", async () => {
    const got = await echo({
      headers: [
        ["X-First", "1"],
        ["USER-AGENT", "mine"],
        ["Accept", "text/plain"],
        ["aCCept-encoding", "identity"],
        ["Host", "example.test"],
        ["X-First", "2"],
        ["X-Latin", "caf\u00e9"],
      ],
    })
    expect(got.headers).toMatchObject({
      "user-agent": "mine",
      accept: "text/plain",
      "accept-encoding": "identity",
      host: "example.test",
      "x-first": "1, 2",
      "x-latin": "caf\u00e9",
    })
    expect(got.head).toContain("X-First: 1\r\nUSER-AGENT: mine\r\nAccept: text/plain\r\n")
    expect(got.head.match(/host:/gi)).toHaveLength(1)
  })

  it("announces its body's length, and none without a body", async () => {
    const body = new TextEncoder().encode("grüße")
    expect(await echo({ method: "POST", body })).toMatchObject({ headers: { "content-length": "7" } })
    expect((await echo({ method: "GET", body })).headers["content-length"]).toBe("7")
    expect((await echo({ method: "POST" })).headers["content-length"]).toBe("0")
    expect((await echo({ method: "DELETE" })).headers["content-length"]).toBeUndefined()
    expect(
      (await echo({ method: "POST", headers: [["Content-Length", "0"]] })).head.match(/length/gi),
    ).toHaveLength(1)
  })

  it("sends every byte of its body, short or long", async () => {
    const got: Buffer[] = []
    const bytes = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => response.end(void got.push(Buffer.concat(chunks))))
    }).listen(0, "127.0.0.1")
    onTestFinished(() => void bytes.close())
    await once(bytes, "listening")
    const { port } = bytes.address() as AddressInfo
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    const bodies = [all, all.subarray(200), Buffer.alloc(16_384, all), Buffer.alloc(16_385, all)]
    const { send } = createClient()
    for (const body of bodies) await send(`http://127.0.0.1:${port}/`, { method: "POST", body })
    expect(got.map((body) => body.toString("hex"))).toEqual(
      bodies.map((body) => Buffer.from(body).toString("hex")),
    )
  })

  it("has its path and query byte for byte, including dots and escapes", async () => {
    const path = "/echo/a/../b/%2e%2e/c%2Fd/./?x=%0d%0a&y=a+b&z=[]'|"
    expect((await echo({}, path)).path).toBe(path)
  })

  it("reports the URL without fragment and user information", async () => {
    const client = createClient()
    await client.send(`http://us%40er:p%3Aw@127.0.0.1:${server.port}/echo#part`)
    expect(client.sent[0]?.url).toBe(server.url("echo"))
    expect(client.sent[0]?.headers["authorization"]).toBe(
      `Basic ${Buffer.from("us@er:p:w").toString("base64")}`,
    )
  })
})

describe("what HTTP doesn't allow", () => {
  const secret = "s3cret"
  const refused: readonly (readonly [what: string, request: object, message: string])[] = [
    [
      "a line break in a header",
      { headers: [["X-Token", `${secret}\r\nX-Evil: 1`]] },
      `the header "X-Token" contains a line break, which HTTP does not allow`,
    ],
    [
      "a NUL in a header",
      { headers: [["X-Token", `${secret}\0`]] },
      `the header "X-Token" contains a NUL character, which HTTP does not allow`,
    ],
    [
      "a control character in a header",
      { headers: [["X-Token", `${secret}\u0007`]] },
      `the header "X-Token" contains a control character, which HTTP does not allow`,
    ],
    [
      "Chinese in a header",
      { headers: [["X-Token", `${secret}中`]] },
      `the header "X-Token" contains a character outside Latin-1, which HTTP does not allow`,
    ],
    [
      "a space in a header's name",
      { headers: [["X Token", secret]] },
      'the header name "X Token" is not a valid HTTP token',
    ],
    ["an empty header name", { headers: [["", secret]] }, 'the header name "" is not a valid HTTP token'],
    ["a space in the method", { method: "GET /" }, "its method is not a valid HTTP token"],
    ["the method CONNECT", { method: "connect" }, "the method CONNECT is only for proxies"],
    [
      "a wrong length",
      { headers: [["Content-Length", "5"]] },
      'the header "Content-Length" does not match the length of the body, 0 bytes',
    ],
    [
      "two lengths",
      {
        headers: [
          ["Content-Length", "0"],
          ["content-length", "0"],
        ],
      },
      'the header "content-length" does not match the length of the body, 0 bytes',
    ],
    [
      "a strange transfer coding",
      { headers: [["Transfer-Encoding", "gzip"]] },
      'the header "Transfer-Encoding" must be "chunked"',
    ],
    [
      "trailers",
      { headers: [["Trailer", "x"]] },
      'the header "Trailer" announces trailers, which callsheet does not send',
    ],
  ]

  it.each(refused)("%s: is rejected by its field, without its value", async (_what, request, message) => {
    const client = createClient()
    const before = server.arrived.length
    const outcome = failed(await client.send(server.url("echo"), request))
    expect(outcome).toMatchObject({ code: "request-failed", message: `the request was not sent: ${message}` })
    expect(outcome.message).not.toContain(secret)
    expect(client.sent).toEqual([])
    expect(server.arrived).toHaveLength(before)
  })

  it.each([
    ["/echo", "the URL is not absolute"],
    ["ftp://127.0.0.1/", 'the scheme of the URL is "ftp"'],
    ["http:///echo", "the URL has no host"],
    ["http://127.0.0.1:99999/", "host or port is not valid"],
    [`http://user:${secret}@bad host/`, "host or port is not valid"],
    [`http://127.0.0.1\\@${secret}/`, "host or port is not valid"],
    [`http://127.0.0.1/echo?x=${secret}\r\n`, "must be percent-encoded"],
    [`http://127.0.0.1/echo?x=${secret} y`, "must be percent-encoded"],
    [`http://127.0.0.1/echo?x=${secret}ä`, "must be percent-encoded"],
    [`http://127.0.0.1/echo?x=${secret}\0`, "must be percent-encoded"],
  ])("the URL %j is rejected", async (url, message) => {
    const outcome = failed(await createClient().send(url))
    expect(outcome.code).toBe("request-failed")
    expect(outcome.message).toContain(message)
    expect(outcome.message).not.toContain(secret)
  })
})
