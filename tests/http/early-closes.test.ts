// A server may close a connection whenever it has responded. No response is lost, and no request is sent twice.

import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { localhost } from "../harness/certificates.ts"
import { arrived, createClient, failed } from "./send.ts"

const child = fork(fileURLToPath(new URL("closing-server.mjs", import.meta.url)))
const origins = { http: "", https: "" }
const seen: string[] = []

beforeAll(async () => {
  child.send({ tls: localhost })
  const [ports] = (await once(child, "message")) as [{ readonly http: number; readonly https: number }]
  origins.http = `http://127.0.0.1:${ports.http}`
  origins.https = `https://127.0.0.1:${ports.https}`
  child.on("message", (message) => seen.push((message as { readonly arrived: string }).arrived))
})
afterAll(() => void child.kill())

const schemes = ["http", "https"] as const

const bytes = (length: number): Uint8Array => new Uint8Array(length).fill(120)

describe.each(schemes)("%s: a server that closes after each response", (scheme) => {
  it.each([
    ["ends", 200],
    ["ends-chunked", 200],
    ["ends-with-promise", 200],
    ["ends-204", 204],
    ["ends-500", 500],
    ["ends-large", 200],
    ["abandons", 200],
  ] as const)("%s: answers every POST", async (path, status) => {
    const counted = `/${path}?counted-${scheme}`
    const client = createClient()
    for (let turn = 0; turn < 40; turn++) {
      const outcome = await client.send(origins[scheme] + counted, {
        method: "POST",
        body: bytes(10),
        verifyTls: false,
      })
      expect(arrived(outcome).status).toBe(status)
    }
    await expect.poll(() => seen.filter((name) => name === counted)).toHaveLength(40)
  })

  it("answers POSTs in parallel, and after a redirect", async () => {
    const client = createClient({ concurrency: 5 })
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        client.send(`${origins[scheme]}/${index % 2 === 0 ? "ends" : "redirects"}`, {
          method: "POST",
          body: bytes(10),
          verifyTls: false,
        }),
      ),
    )
    for (const outcome of outcomes) expect(arrived(outcome).text).toBe("ok")
  })

  it("answers GETs, and at most one of them arrives twice", async () => {
    const counted = `/ends?gets-${scheme}`
    const client = createClient()
    for (let turn = 0; turn < 40; turn++)
      expect(arrived(await client.send(origins[scheme] + counted, { verifyTls: false })).text).toBe("ok")
    const received = (): number => seen.filter((name) => name === counted).length
    await expect.poll(received).toBeGreaterThanOrEqual(40)
    expect(received()).toBeLessThanOrEqual(41)
  })

  it("is noticed even if this process was busy when the connection ended", async () => {
    const client = createClient()
    const post = { method: "POST", body: bytes(10), verifyTls: false }
    for (let turn = 0; turn < 5; turn++) {
      arrived(await client.send(`${origins[scheme]}/ends`, post))
      const until = performance.now() + 20
      while (performance.now() < until) continue
    }
  })
})

describe.each(schemes)("%s: a server that responds before it has read the request", (scheme) => {
  it.each([
    ["413-ends", "too large"],
    ["413-abandons", "too large"],
    ["413-chunked", "too large"],
    ["413-large", "x".repeat(30_000)],
    ["413-without-length", "too large"],
    ["401-stays-open", "who are you?"],
    ["100-then-413", "too large"],
  ] as const)("%s: reports its response", async (path, text) => {
    for (const length of [100_000, 1_000_000, 8_000_000])
      for (const method of ["POST", "PUT"]) {
        const outcome = await createClient().send(`${origins[scheme]}/${path}`, {
          method,
          body: bytes(length),
          verifyTls: false,
        })
        expect(arrived(outcome)).toMatchObject({ status: Number(path.match(/4\d\d/)?.[0]), text })
      }
  })

  it("on a kept connection, reports its response", async () => {
    const client = createClient()
    const post = { method: "POST", body: bytes(8_000_000), verifyTls: false }
    for (let turn = 0; turn < 5; turn++) {
      arrived(await client.send(`${origins[scheme]}/ok`, { verifyTls: false }))
      expect(arrived(await client.send(`${origins[scheme]}/413-abandons`, post)).status).toBe(413)
    }
  })

  it("says so if the server closes the connection without a response", async () => {
    const outcome = failed(
      await createClient().send(`${origins[scheme]}/says-nothing`, {
        method: "POST",
        body: bytes(8_000_000),
        verifyTls: false,
      }),
    )
    expect(outcome.message).toMatch(
      /^the server (?:closed the connection while callsheet was sending the request|reset the connection|closed the connection without sending a response) \((?:EPIPE|ECONNRESET)\)$/,
    )
  })
})
