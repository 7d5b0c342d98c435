// Cookie jars: one per API, for the origin that set the cookie. A request's own cookies take precedence.

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startFaultServer, type Arrived, type FaultServer } from "../fault-server/fault-server.ts"
import { arrived, createClient, failed, type Client } from "./send.ts"

let server: FaultServer
let other: FaultServer
beforeAll(async () => {
  server = await startFaultServer()
  other = await startFaultServer()
})
afterAll(async () => {
  await server.close()
  await other.close()
})

const set = (...lines: readonly string[]): string =>
  server.url("set-cookie", `?${lines.map((line) => `c=${encodeURIComponent(line)}`).join("&")}`)

async function cookieOf(
  client: Client,
  request: { api?: string; cookies?: Record<string, string>; url?: string } = {},
): Promise<string | undefined> {
  const { url = server.url("echo"), ...more } = request
  const echo = JSON.parse(arrived(await client.send(url, more)).text) as Arrived
  return echo.headers["cookie"]
}

describe("a cookie", () => {
  it("of a response is sent with the next request", async () => {
    const client = createClient()
    await client.send(set("sid=1; Path=/; HttpOnly", "lang=de; Path=/"))
    expect(await cookieOf(client)).toBe("sid=1; lang=de")
  })

  it("stays with the API that it was set for", async () => {
    const client = createClient()
    await client.send(set("sid=1; Path=/"))
    expect(await cookieOf(client, { api: "payments" })).toBeUndefined()
  })

  it("stays with the port that set it, and another port can't overwrite it", async () => {
    const client = createClient()
    await client.send(set("sid=1; Path=/"))
    expect(await cookieOf(client, { url: other.url("echo") })).toBeUndefined()
    await client.send(set("sid=2; Path=/").replace(server.origin, other.origin))
    expect(await cookieOf(client)).toBe("sid=1")
    expect(await cookieOf(client, { url: other.url("echo") })).toBe("sid=2")
  })

  it("of the request replaces the jar's cookie with that name, and an empty one sends none", async () => {
    const client = createClient()
    await client.send(set("sid=1; Path=/", "lang=de; Path=/"))
    expect(await cookieOf(client, { cookies: { sid: "mine" } })).toBe("sid=mine; lang=de")
    expect(await cookieOf(client, { cookies: { sid: "" } })).toBe("lang=de")
    expect(await cookieOf(client, { cookies: { sid: "", lang: "" } })).toBeUndefined()
    expect(await cookieOf(client)).toBe("sid=1; lang=de")
  })

  it("is joined with a cookie header that the request sets", async () => {
    const client = createClient()
    await client.send(set("sid=1; Path=/", "lang=de; Path=/"))
    const echo = JSON.parse(
      arrived(
        await client.send(server.url("echo"), { headers: [["Cookie", "sid=own"]], cookies: { a: "b" } }),
      ).text,
    ) as Arrived
    expect(echo.headers["cookie"]).toBe("sid=own; a=b; lang=de")
  })

  it("is also stored from a redirect", async () => {
    const client = createClient()
    const response = arrived(await client.send(server.url("redirect-with-cookie", "?/echo")))
    expect((JSON.parse(response.text) as Arrived).headers["cookie"]).toBe("hop=1")
  })

  it("from the jar does not follow a redirect to another origin, and the report says so", async () => {
    const client = createClient()
    await client.send(set("sid=1; Path=/"))
    const response = arrived(await client.send(server.url("redirect-302", `?${other.origin}/echo`)))
    expect((JSON.parse(response.text) as Arrived).headers["cookie"]).toBeUndefined()
    expect(response.redirects[0]?.dropped).toEqual(["cookie sid"])
  })

  it("is rejected for another domain and for an invalid prefix, and expires", async () => {
    const client = createClient()
    await client.send(
      set(
        "evil=1; Domain=example.com; Path=/",
        "tld=1; Domain=com; Path=/",
        "__Host-a=1; Path=/sub; Secure",
        "__Secure-b=1; Path=/",
        "gone=1; Path=/; Max-Age=0",
        "elsewhere=1; Path=/elsewhere",
        "no equals sign",
        "good=1; Path=/",
      ),
    )
    expect(await cookieOf(client)).toBe("good=1")
  })

  it("expires in time, and is deleted when a later response says so", async () => {
    const client = createClient()
    await client.send(set("short=1; Path=/; Max-Age=1", "sid=1; Path=/"))
    expect(await cookieOf(client)).toBe("short=1; sid=1")
    await expect.poll(() => cookieOf(client), { timeout: 4_000, interval: 200 }).toBe("sid=1")
    expect(await cookieOf(client)).toBe("sid=1")
    await client.send(set("sid=; Path=/; Max-Age=0"))
    expect(await cookieOf(client)).toBeUndefined()
  })

  it("may have the name of an inherited property", async () => {
    const client = createClient()
    await client.send(set("__proto__=1; Path=/", "constructor=2; Path=/"))
    expect(await cookieOf(client)).toBe("__proto__=1; constructor=2")
    expect(({} as Record<string, unknown>)["1"]).toBeUndefined()
  })
})

describe("a cookie that a request sets", () => {
  it.each([
    ["a;b", "a semicolon"],
    ["a\r\nSet: x", "a line break"],
    ["a b", "a space"],
    ["a,b", "a comma"],
    ['a"b', "a quotation mark"],
    ["a\\b", "a backslash"],
    ["ä", "a character outside ASCII"],
  ])("with the value %j is rejected by its name, without its value", async (value, reason) => {
    const before = server.arrived.length
    const outcome = failed(await createClient().send(server.url("echo"), { cookies: { sid: value } }))
    expect(outcome.code).toBe("request-failed")
    expect(outcome.message).toBe(
      `the request was not sent: the cookie "sid" contains ${reason}, which cookies can't contain`,
    )
    expect(server.arrived).toHaveLength(before)
  })

  it("with an invalid name is rejected", async () => {
    const outcome = failed(await createClient().send(server.url("echo"), { cookies: { "a b": "1" } }))
    expect(outcome.message).toContain('the cookie name "a b" is not a valid HTTP token')
  })
})
