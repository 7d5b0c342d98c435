// Checks that messages describe a server's errors in the user's words, and that unusual but valid responses are
// accepted.

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startFaultServer, type FaultServer } from "../fault-server/fault-server.ts"
import type { FaultName } from "../fault-server/faults.ts"
import { arrived, createClient, failed } from "./send.ts"

let server: FaultServer
beforeAll(async () => {
  server = await startFaultServer()
})
afterAll(() => server.close())

const wrong: readonly (readonly [fault: FaultName, message: RegExp])[] = [
  ["six-codings", /could not decode .* 6 content codings; the limit is 5/],
  ["thousand-codings", /could not decode .* 1000 content codings/],
  ["codings-in-many-headers", /could not decode .* 50 content codings/],
  ["gzip-lie", /could not decode .* gzip data is corrupt/],
  ["wrong-crc", /could not decode .* gzip data is corrupt/],
  ["truncated-gzip", /could not decode .* gzip data ends too early/],
  ["truncated-large-gzip", /could not decode .* gzip data ends too early/],
  ["truncated-brotli", /could not decode .* br data ends too early/],
  ["truncated-deflate", /could not decode .* deflate data ends too early/],
  ["unknown-coding", /could not decode .* coding "lzma" is unknown/],
  ["short-body", /ended early: .* after 4 of 20 bytes/],
  ["cut-chunks", /ended early: .* after 6 bytes, before the last chunk/],
  ["no-last-chunk", /ended early: .* after 4 bytes, before the last chunk/],
  ["negative-length", /violates the HTTP protocol: its content-length/],
  ["nan-length", /violates the HTTP protocol: its content-length/],
  ["double-length", /violates the HTTP protocol: it has more than one content-length/],
  ["huge-length", /violates the HTTP protocol: its content-length/],
  ["length-and-chunks", /violates the HTTP protocol: it has both a content-length and a transfer-encoding/],
  ["chunks-and-length", /violates the HTTP protocol: it has both a content-length and a transfer-encoding/],
  ["bad-chunk-size", /violates the HTTP protocol: the size of a chunk/],
  ["chunk-overflow", /violates the HTTP protocol: the size of a chunk/],
  ["chunk-extension", /violates the HTTP protocol: a chunk's extension/],
  ["reset-at-once", /reset the connection \(ECONNRESET\)/],
  ["reset-in-head", /reset the connection \(ECONNRESET\)/],
  ["reset-in-body", /ended early: the server reset the connection after 4 of 20 bytes/],
  ["reset-in-chunks", /ended early: the server reset the connection after 4 bytes, before the last chunk/],
  ["end-at-once", /without sending a response \(ECONNRESET\)/],
  ["end-in-head", /closed the connection in the middle of the response's headers/],
  ["garbage", /violates the HTTP protocol: it does not start with an HTTP status line/],
  ["http-0.9", /violates the HTTP protocol: it does not start with an HTTP status line/],
  ["http-9.9", /violates the HTTP protocol: its HTTP version/],
  ["http-2", /the server responded with HTTP\/2/],
  ["tls-alert", /speaks TLS on this port/],
  ["status-abc", /violates the HTTP protocol: its status/],
  ["status-000", /violates the HTTP protocol: its status/],
  ["status-101", /violates the HTTP protocol: the server switched to another protocol/],
  ["bare-101", /violates the HTTP protocol: the server switched to another protocol/],
  ["header-of-1-mib", /headers are larger than 256 KiB/],
  ["100000-headers", /headers are larger than 256 KiB/],
  ["nul-in-header", /violates the HTTP protocol: a header line is malformed/],
  ["no-colon", /violates the HTTP protocol: a header line is malformed/],
  ["folded-header", /violates the HTTP protocol: a header line is malformed/],
]

describe("a broken response", () => {
  it.each(wrong)("%s: fails the request and gives the reason", async (fault, message) => {
    const client = createClient()
    const outcome = failed(await client.send(server.url(fault)))
    expect(outcome.code).toBe("request-failed")
    expect(outcome.message).toMatch(message)
    // The run continues: the next request gets its own response.
    expect(arrived(await client.send(server.url("ok"))).text).toBe("ok")
  })
})

const text = "The quick brown fox jumps over the lazy dog. ".repeat(200)

const accepted: readonly (readonly [fault: FaultName, status: number, body: string])[] = [
  ["gzip", 200, text],
  ["x-gzip", 200, text],
  ["deflate", 200, text],
  ["raw-deflate", 200, text],
  ["brotli", 200, text],
  ["three-codings", 200, text],
  ["identity", 200, text],
  ["empty-gzip", 200, ""],
  ["two-answers", 200, "first"],
  ["surplus-body", 200, "ok"],
  ["204-with-body", 204, ""],
  ["204-with-late-body", 204, ""],
  ["204-with-chunks", 204, ""],
  ["304-with-length", 304, ""],
  ["304-with-body", 304, ""],
  ["status-999", 999, "ok"],
  ["http-1.0", 200, "old"],
  ["no-length", 200, "until the end"],
  ["no-reason", 200, "ok"],
  ["unasked-100", 200, "ok"],
  ["unasked-103", 200, "ok"],
  ["header-of-100-kib", 200, "ok"],
  ["20000-headers", 200, "ok"],
  ["1000-cookies", 200, "ok"],
  ["closes-after", 200, "ok"],
]

describe("a response that only looks broken", () => {
  it.each(accepted)(
    "%s: is accepted, and surplus bytes are not used as a response",
    async (fault, status, body) => {
      const client = createClient()
      const response = arrived(await client.send(server.url(fault, "?surplus")))
      expect(response.status).toBe(status)
      expect(response.text).toBe(body)
      expect(arrived(await client.send(server.url("ok"))).text).toBe("ok")
    },
  )

  it("has no body if it responds to HEAD, whatever the server sends", async () => {
    const client = createClient()
    const response = arrived(await client.send(server.url("surplus-body", "?head"), { method: "HEAD" }))
    expect(response.text).toBe("")
    expect(arrived(await client.send(server.url("ok"))).text).toBe("ok")
  })

  it("closes the connection only after a 204 that announces a body", async () => {
    const client = createClient()
    const before = server.made()
    await client.send(server.url("204-with-zero-length"))
    await client.send(server.url("304-with-length"))
    await client.send(server.url("204-with-late-body"))
    expect(server.made()).toBe(before + 1)
    await client.send(server.url("ok"))
    expect(server.made()).toBe(before + 2)
  })

  it("keeps every one of 20,000 headers", async () => {
    const response = arrived(await createClient().send(server.url("20000-headers")))
    expect(response.headers["x19999"]).toBe("y")
  })

  it("joins repeated headers, and keeps inherited property names as own keys", async () => {
    const { headers } = arrived(await createClient().send(server.url("repeated-headers")))
    expect(headers["x-a"]).toBe("1, 2")
    expect(headers["content-type"]).toBe("c/d")
    expect(Object.getOwnPropertyDescriptor(headers, "__proto__")?.value).toBe("p")
    expect(headers["constructor"]).toBe("c")
    expect(Object.getPrototypeOf(headers)).toBe(Object.prototype)
  })

  it("drops a response that arrived on an idle connection, with that connection", async () => {
    const client = createClient()
    expect(arrived(await client.send(server.url("late-answer"))).text).toBe("first")
    await new Promise((resolve) => {
      setTimeout(resolve, 80)
    })
    const before = server.made()
    expect(arrived(await client.send(server.url("ok"))).text).toBe("ok")
    expect(server.made()).toBe(before + 1)
  })
})

describe("a response that is too large", () => {
  const limit = 1024 * 1024
  const large: readonly FaultName[] = [
    "endless-body",
    "announced-too-large",
    "gzip-bomb",
    "small-gzip-bomb",
    "brotli-bomb",
    "nested-gzip-bomb",
  ]

  it.each(large)("%s: is stopped at the limit", async (fault) => {
    const outcome = failed(await createClient().send(server.url(fault), { maxResponseBytes: limit }))
    expect(outcome.code).toBe("request-failed")
    expect(outcome.message).toBe("the response is larger than 1 MiB")
    expect(outcome.hint).toContain("--max-response-size")
  })

  it("needs little more memory than the limit", async () => {
    const before = process.memoryUsage.rss()
    await createClient().send(server.url("nested-gzip-bomb"), { maxResponseBytes: limit })
    await createClient().send(server.url("endless-body"), { maxResponseBytes: limit })
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * limit)
  })

  it("counts decoded bytes: exactly the limit is allowed", async () => {
    const client = createClient()
    const whole = arrived(await client.send(server.url("gzip"), { maxResponseBytes: text.length }))
    expect(whole.text).toBe(text)
    const cut = failed(await client.send(server.url("gzip"), { maxResponseBytes: text.length - 1 }))
    expect(cut.message).toBe(`the response is larger than ${text.length - 1} bytes`)
  })

  it("decodes a long body while it arrives", async () => {
    expect(arrived(await createClient().send(server.url("large-gzip"))).text).toHaveLength(300_000)
  })
})
