// Checks redirects: their limit, and the parts of a request that a new origin gets.

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { answer } from "../fault-server/faults.ts"
import { startFaultServer, type Arrived, type FaultServer } from "../fault-server/fault-server.ts"
import { arrived, createClient, failed, nothingSensitive } from "./send.ts"

let first: FaultServer
let second: FaultServer
beforeAll(async () => {
  first = await startFaultServer()
  second = await startFaultServer()
})
afterAll(async () => {
  await first.close()
  await second.close()
})

const echoed = (text: string): Arrived => JSON.parse(text) as Arrived
const body = new TextEncoder().encode('{"a":1}')
const json = ["content-type", "application/json"] as const

describe("a redirect", () => {
  it("is followed ten times, and listed", async () => {
    const response = arrived(await createClient().send(first.url("redirect-count", "?10")))
    expect(response.status).toBe(200)
    expect(response.redirects).toHaveLength(10)
    expect(response.redirects[0]).toEqual({ status: 302, url: first.url("redirect-count", "?9") })
    expect(response.redirects.at(-1)).toEqual({ status: 302, url: first.url("echo") })
  })

  it("fails at the eleventh, with the list", async () => {
    const outcome = failed(await createClient().send(first.url("redirect-count", "?11")))
    expect(outcome.code).toBe("too-many-redirects")
    expect(outcome.message).toContain("redirected more than 10 times")
    expect(outcome.redirects).toHaveLength(11)
  })

  it("ends in a loop like any other", async () => {
    const outcome = failed(await createClient().send(first.url("redirect-loop")))
    expect(outcome.code).toBe("too-many-redirects")
    expect(outcome.message).toBe(
      `the request was redirected more than 10 times: ${first.url("redirect-loop")} redirects to itself`,
    )
  })

  it.each([
    [["/a", "/b", "/a"], "/a redirects to /b, then /a"],
    [["/start", "/a", "/b", "/c", "/a"], "/a redirects to /b, then /c, then /a"],
    [["/start", "/a", "/a"], "/a redirects to itself"],
    [["/a?next=1", "/a?next=1"], "/a redirects to itself"],
    [["/a?token=s3cret", "/b", "/a?token=s3cret"], "/a redirects to /b, then /a"],
  ])("in a circle of %j names the circle, once", async (places, circle) => {
    const next = new Map(places.slice(0, -1).map((place, at) => [place, places[at + 1] ?? ""]))
    const server = await startFaultServer({
      answer: (socket, { path }) =>
        void socket.write(answer("", [`Location: ${next.get(path) ?? "/"}`], "302 Found")),
    })
    onTestFinished(() => server.close())
    const outcome = failed(await createClient().send(server.origin + (places[0] ?? "")))
    const message = outcome.message.replaceAll(server.origin, "")
    expect(message).toBe(`the request was redirected more than 10 times: ${circle}`)
  })

  it("is the response if followRedirects is false", async () => {
    const response = arrived(
      await createClient().send(first.url("redirect-302", "?/echo"), { followRedirects: false }),
    )
    expect(response.status).toBe(302)
    expect(response.headers["location"]).toBe("/echo")
  })

  it.each(["redirect-nowhere", "redirect-empty"] as const)("%s: is the response", async (fault) => {
    const response = arrived(await createClient().send(first.url(fault)))
    expect(response).toMatchObject({ status: 302, text: "stay", redirects: [] })
  })

  it("does not need the body of the response that redirects", async () => {
    const outcome = await createClient().send(first.url("redirect-with-endless-body"))
    expect(arrived(outcome).text).toBe("ok")
  })

  it.each([
    ["file:///etc/passwd", /redirect: .*scheme of the URL is "file"/],
    ["javascript:alert(1)", /redirect: .*scheme of the URL is "javascript"/],
    ["http://[::bad/", /location is not a valid URL/],
    ["http://127.0.0.1:1/", /refused the connection|could not/],
  ])("to %s fails with the list", async (location, message) => {
    const outcome = failed(
      await createClient().send(
        first.url("redirect-302", `?/redirect-302%3F${encodeURIComponent(encodeURIComponent(location))}`),
      ),
    )
    expect(outcome.code).toBe("request-failed")
    expect(outcome.message).toMatch(message)
    expect(outcome.message).toContain(`redirects: 302 ${first.origin}/redirect-302`)
    expect(outcome.redirects.length).toBeGreaterThan(0)
  })

  it("resolves a relative location against the previous URL", async () => {
    const client = createClient()
    const response = arrived(
      await client.send(`${first.origin}/redirect-302/deep/er?..%2F..%2Fecho%3Fx=1%23part`),
    )
    expect(echoed(response.text).path).toBe("/echo?x=1")
  })
})

describe("method and body", () => {
  const post = { method: "POST", body, headers: [json, ["x-kept", "1"]] as const }

  it.each([
    ["redirect-301", "GET"],
    ["redirect-302", "GET"],
    ["redirect-303", "GET"],
    ["redirect-307", "POST"],
    ["redirect-308", "POST"],
  ] as const)("%s after POST: continues as %s", async (fault, method) => {
    const got = echoed(arrived(await createClient().send(first.url(fault, "?/echo"), post)).text)
    expect(got.method).toBe(method)
    expect(got.body).toBe(method === "POST" ? '{"a":1}' : "")
    expect(got.headers["content-type"]).toBe(method === "POST" ? "application/json" : undefined)
    expect(got.headers["content-length"]).toBe(method === "POST" ? "7" : undefined)
    expect(got.headers["x-kept"]).toBe("1")
  })

  it("stay after 302 if the method is not POST, and become GET after 303", async () => {
    const put = { ...post, method: "PUT" }
    const client = createClient()
    expect(echoed(arrived(await client.send(first.url("redirect-302", "?/echo"), put)).text).method).toBe(
      "PUT",
    )
    expect(echoed(arrived(await client.send(first.url("redirect-303", "?/echo"), put)).text).method).toBe(
      "GET",
    )
  })

  it("keep HEAD after 303", async () => {
    await createClient().send(first.url("redirect-303", "?/ok"), { method: "HEAD", timeoutMs: 1_000 })
    expect(first.arrived.at(-1)).toMatchObject({ method: "HEAD", path: "/ok" })
  })
})

describe("a redirect to another origin", () => {
  const secret = "s3cret-value"
  const request = {
    headers: [
      ["Authorization", `Bearer ${secret}`],
      ["Proxy-Authorization", `Basic ${secret}`],
      ["X-Api-Key", secret],
      ["X-Plain", "plain"],
      ["Host", "first.example"],
    ],
    cookies: { sid: secret, theme: "dark" },
    sensitive: { ...nothingSensitive, headers: new Set(["x-api-key"]) },
  } as const

  it("carries no credentials, no cookies and nothing made from a secret, and reports that", async () => {
    const client = createClient()
    const response = arrived(await client.send(first.url("redirect-307", `?${second.origin}/echo`), request))
    const got = echoed(response.text)
    expect(JSON.stringify(got)).not.toContain(secret)
    expect(got.headers).toMatchObject({ "x-plain": "plain", host: `127.0.0.1:${second.port}` })
    expect(got.headers["cookie"]).toBeUndefined()
    expect(response.redirects).toEqual([
      {
        status: 307,
        url: `${second.origin}/echo`,
        dropped: [
          "header authorization",
          "header proxy-authorization",
          "header x-api-key",
          "cookie sid",
          "cookie theme",
        ],
      },
    ])
  })

  it("does not regain them by a further redirect, to the first origin or elsewhere", async () => {
    const client = createClient()
    const back = encodeURIComponent(`${first.origin}/echo`)
    const response = arrived(
      await client.send(first.url("redirect-307", `?${second.origin}/redirect-307%3F${back}`), request),
    )
    expect(response.text).not.toContain(secret)
    expect(response.redirects).toHaveLength(2)
  })

  it("includes another host name of the same server", async () => {
    const response = arrived(
      await createClient().send(first.url("redirect-307", `?http://localhost:${first.port}/echo`), request),
    )
    expect(response.text).not.toContain(secret)
    expect(response.redirects[0]?.dropped).toContain("header x-api-key")
  })

  it("keeps everything on the same origin", async () => {
    const response = arrived(await createClient().send(first.url("redirect-307", "?/echo"), request))
    const got = echoed(response.text)
    expect(got.headers).toMatchObject({
      authorization: `Bearer ${secret}`,
      cookie: `sid=${secret}; theme=dark`,
    })
    expect(response.redirects[0]).not.toHaveProperty("dropped")
  })

  it("loses a query value that is derived from a secret, even if the server repeats it", async () => {
    const client = createClient()
    const sensitive = { ...nothingSensitive, query: new Set(["api_key"]) }
    const response = arrived(
      await client.send(
        first.url("redirect-echoing", `?${encodeURIComponent(second.origin)}&api_key=${secret}`),
        { sensitive },
      ),
    )
    expect(echoed(response.text).path).toBe("/echo?page=1")
    expect(response.redirects[0]?.dropped).toEqual(["query api_key"])
  })

  it("keeps a body that contains no secret", async () => {
    const response = arrived(
      await createClient().send(first.url("redirect-308", `?${second.origin}/echo`), {
        method: "POST",
        body,
      }),
    )
    expect(echoed(response.text).body).toBe('{"a":1}')
  })

  it("never carries a body that is derived from a secret: the request fails with a hint", async () => {
    const before = second.arrived.length
    const outcome = failed(
      await createClient().send(first.url("redirect-307", `?${second.origin}/echo`), {
        method: "POST",
        body,
        sensitive: { ...nothingSensitive, body: true },
      }),
    )
    expect(outcome.code).toBe("request-failed")
    expect(outcome.message).toContain("the request body contains a value derived from a secret")
    expect(outcome.hint).toContain("followRedirects")
    expect(outcome.redirects).toEqual([{ status: 307, url: `${second.origin}/echo` }])
    expect(second.arrived).toHaveLength(before)
  })

  it("loses user and password of the first URL", async () => {
    const response = arrived(
      await createClient().send(
        `http://user:${secret}@127.0.0.1:${first.port}/redirect-302?${second.origin}/echo`,
      ),
    )
    expect(first.arrived.at(-1)?.headers["authorization"]).toBe(
      `Basic ${Buffer.from(`user:${secret}`).toString("base64")}`,
    )
    expect(echoed(response.text).headers["authorization"]).toBeUndefined()
    expect(response.redirects[0]?.dropped).toEqual(["header authorization"])
  })
})
