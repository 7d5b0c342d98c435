import { createServer, type RequestListener } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"
import { describe, expect, it, onTestFinished } from "vitest"
import { createDocumentFetcher } from "./fetch-document.ts"

async function serve(answer: RequestListener) {
  const requests: { readonly url: string; readonly headers: NodeJS.Dict<string | string[]> }[] = []
  const server = createServer((request, response) => {
    requests.push({ url: request.url ?? "", headers: request.headers })
    answer(request, response)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

const limits = { bytes: 1024, milliseconds: 20_000 }
const fetcher = (own: Partial<typeof limits> = {}) => createDocumentFetcher({}, { ...limits, ...own })

describe("the address of a document", () => {
  it("is fetched without credentials, over redirects that are named", async () => {
    const { url, requests } = await serve(({ url: path }, response) => {
      response.setHeader("set-cookie", "session=1")
      if (path === "/latest?v=2") response.writeHead(302, { location: "/v2/openapi.yaml" }).end()
      else response.end("openapi: 3.1.0\n")
    })
    const { fetch, find } = fetcher()
    const answer = await fetch(` ${url}/latest?v=2#top `)
    expect(answer).toMatchObject({
      url: `${url}/v2/openapi.yaml`,
      redirects: [{ status: 302, url: `${url}/v2/openapi.yaml` }],
      sizeBytes: 15,
    })
    expect(find(answer.fetched)).toMatchObject({
      name: "openapi.yaml",
      text: "openapi: 3.1.0\n",
      address: `${url}/latest?v=2#top`,
    })
    expect(requests.map((request) => request.url)).toEqual(["/latest?v=2", "/v2/openapi.yaml"])
    for (const { headers } of requests) {
      expect(headers).not.toHaveProperty("cookie")
      expect(headers).not.toHaveProperty("authorization")
    }
  })

  it.each([
    ["file:///etc/passwd", /is not a URL that callsheet can fetch/],
    ["ftp://example.com/openapi.json", /is not a URL that callsheet can fetch/],
    ["openapi.json", /is not a URL that callsheet can fetch/],
    ["http://ann:s3cret@example.com/openapi.json", /name or password/],
  ])("is refused before anything is sent: %s", async (address, message) => {
    const error: unknown = await fetcher()
      .fetch(address)
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({ status: 422, message: expect.stringMatching(message) })
    expect(String(error)).not.toContain("s3cret")
  })

  it.each([
    ["file:///etc/passwd", /redirects to another one: this is not a URL/],
    ["http://ann:s3cret@127.0.0.1/", /redirects to another one: the URL contains a name or password/],
    ["/again", /redirects more than 10 times/],
  ])("is refused if it redirects to %s", async (location, message) => {
    const { url } = await serve((_, response) => response.writeHead(301, { location }).end())
    await expect(fetcher().fetch(url)).rejects.toMatchObject({ message: expect.stringMatching(message) })
  })

  it.each<[string, RegExp, RequestListener]>([
    ["an error", /answered with 404/, (_, response) => response.writeHead(404).end("{}")],
    [
      "an HTML page",
      /HTML page, not with an OpenAPI document/,
      (_, response) => response.setHeader("content-type", "text/html; charset=utf-8").end("<p>Docs</p>"),
    ],
    [
      "an HTML page sent as text",
      /HTML page, not with an OpenAPI document/,
      (_, response) => response.end("\n<!DOCTYPE html><p>Docs</p>"),
    ],
    ["too much", /is larger than 1 KiB/, (_, response) => response.end("x".repeat(1025))],
    [
      "too much that is compressed",
      /is larger than 1 KiB/,
      (_, response) => response.setHeader("content-encoding", "gzip").end(gzipSync("x".repeat(100_000))),
    ],
    [
      "bytes that are not text",
      /UTF-8/,
      (_, response) => response.end(Buffer.from([0xff, 0xff, 0xff, 0xfe])),
    ],
  ])("is refused if it answers with %s", async (_, message, answer) => {
    const { url } = await serve(answer)
    await expect(fetcher().fetch(`${url}/openapi.json`)).rejects.toMatchObject({
      status: 422,
      message: expect.stringMatching(message),
    })
  })

  it("is refused if the whole document takes too long, over all redirects", async () => {
    const { url } = await serve(({ url: path }, response) => {
      if (path === "/") response.writeHead(302, { location: "/next" }).end()
      else response.write("openapi: 3.1.0")
    })
    await expect(fetcher({ milliseconds: 400 }).fetch(url)).rejects.toMatchObject({
      message: expect.stringContaining("did not send the whole document within 0.4 s"),
    })
  })

  it("keeps only the last two documents", async () => {
    const { url } = await serve((_, response) => response.end("{}"))
    const { fetch, find } = fetcher()
    const [first, , last] = [await fetch(url), await fetch(url), await fetch(url)]
    expect(() => find(first?.fetched ?? "")).toThrow("has expired")
    expect(find(last?.fetched ?? "").text).toBe("{}")
  })
})
