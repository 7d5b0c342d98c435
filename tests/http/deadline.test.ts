// The deadline is a total: no server can delay a request longer, whatever it does.

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { startFaultServer, type FaultServer } from "../fault-server/fault-server.ts"
import type { FaultName } from "../fault-server/faults.ts"
import { arrived, createClient, failed } from "./send.ts"

let server: FaultServer
beforeAll(async () => {
  server = await startFaultServer()
})
afterAll(() => server.close())

/** The maximum delay of a busy machine in milliseconds, which is much shorter than waiting for the server. */
const patience = 3_000

const slow: readonly (readonly [fault: FaultName, phase: RegExp])[] = [
  ["silent", /while waiting for the response/],
  ["stops-in-head", /while reading the response's headers/],
  ["stops-in-body", /while reading the body \(4 bytes received\)/],
  ["byte-drip", /while reading the body/],
  ["header-drip", /while reading the response's headers/],
  ["endless-events", /while reading the body/],
  ["endless-chunks", /while reading the body/],
  ["flood-of-100", /while reading the response's headers/],
  ["flood-of-chunks", /while reading the body/],
  ["stalled-redirect", /while reading the body \(4 bytes received\)/],
]

describe("the deadline", () => {
  it.each(slow)("%s: ends in time and reports what was in progress", async (fault, phase) => {
    const client = createClient()
    const limit = 250
    const startedAt = performance.now()
    const outcome = failed(await client.send(server.url(fault), { timeoutMs: limit }))
    const elapsed = performance.now() - startedAt
    expect(outcome.code).toBe("request-timeout")
    expect(outcome.message).toMatch(phase)
    expect(outcome.message).toContain(`GET ${server.url(fault)} timed out after `)
    expect(outcome.message).toMatch(/timed out after [0-9]+ ms .*; the limit is 250 ms/)
    expect(elapsed).toBeGreaterThan(limit - 10)
    expect(elapsed).toBeLessThan(limit + patience)
    expect(arrived(await client.send(server.url("ok"))).text).toBe("ok")
  })

  it("covers a body that the server never reads", async () => {
    const outcome = failed(
      await createClient().send(server.url("unread"), {
        method: "POST",
        body: new Uint8Array(64 * 1024 * 1024),
        timeoutMs: 300,
      }),
    )
    expect(outcome.code).toBe("request-timeout")
    expect(outcome.message).toMatch(/while sending the request/)
  })

  it("covers all redirects together", async () => {
    const startedAt = performance.now()
    const outcome = failed(
      await createClient().send(server.url("redirect-302", "?/redirect-302%3F/silent"), { timeoutMs: 300 }),
    )
    expect(outcome.code).toBe("request-timeout")
    expect(outcome.redirects).toHaveLength(2)
    expect(outcome.message).toContain(`GET ${server.url("silent")}`)
    expect(performance.now() - startedAt).toBeLessThan(300 + patience)
  })

  it("does not overflow with a number beyond every timer's limit", async () => {
    const response = await createClient().send(server.url("ok"), { timeoutMs: 2 ** 40 })
    expect(arrived(response).text).toBe("ok")
  })

  it("closes the connection", async () => {
    const server = await startFaultServer()
    onTestFinished(() => server.close())
    await createClient().send(server.url("silent"), { timeoutMs: 100 })
    await expect.poll(() => server.open(), { timeout: 2_000 }).toBe(0)
  })
})

describe("canceling", () => {
  it("ends requests in progress, and sends nothing afterward", async () => {
    const server = await startFaultServer()
    onTestFinished(() => server.close())
    const client = createClient()
    const requests = [1, 2, 3].map(() => client.send(server.url("silent")))
    await expect.poll(() => server.arrived.length).toBe(3)
    client.abort()
    for (const outcome of await Promise.all(requests)) expect(failed(outcome).code).toBe("cancelled")
    expect(failed(await client.send(server.url("ok"))).code).toBe("cancelled")
    expect(server.arrived).toHaveLength(3)
    await expect.poll(() => server.open(), { timeout: 2_000 }).toBe(0)
  })
})
