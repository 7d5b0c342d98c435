// Responses that contradict themselves: what a run reads, warns about and fails for, as a user sees it.

import { describe, expect, it } from "vitest"
import { callsheet, createFolder, type CallOptions } from "../harness/callsheet.ts"
import { startApi, type Answer, type Route } from "../harness/api-server.ts"
import { echo, request, runBlocks, shopFiles } from "./shop-project.ts"

const send = (answer: Answer | Route, words: readonly string[] = []) =>
  runBlocks([echo("get")], { routes: { "GET /echo": answer }, words })

describe("a JSON response that is not UTF-8", () => {
  it("fails its block, whatever checks it, and shows the text", async () => {
    const body = Buffer.from('{"name":"caf\u00e9"}', "latin1")
    const { block, exitCode } = await send({ headers: { "content-type": "application/json" }, body })
    expect(exitCode).toBe(1)
    expect(block("get")).toMatchObject({
      status: "failed",
      error: {
        code: "request-failed",
        message: expect.stringMatching(
          /^the response is application\/json, but not valid UTF-8: the byte 0xe9 at offset 12 can't be decoded/,
        ),
      },
      response: { status: 200, body: '{"name":"caf\ufffd"}' },
    })
  })
})

describe("a POST that a redirect turns into a GET", () => {
  const post = request("create", { operation: "POST /orders", overrides: { body: { a: 1 } } })
  const run = (status: number, location: string, words: readonly string[] = []) =>
    runBlocks([post], {
      words,
      routes: {
        "POST /orders": () => ({ status, headers: { location } }),
        "*": ({ method }) => ({ body: { method } }),
      },
    })

  it.each([
    [301, "/orders/", true],
    [301, "/elsewhere", true],
    [302, "/orders/", true],
    [302, "/orders?page=1", true],
    [302, "/thanks", false],
    [303, "/orders/", false],
  ])("%s to %s: shows both methods; warns: %s", async (status, location, warns) => {
    const { block, report, stdout } = await run(status, location)
    expect(block("create").response?.redirects).toMatchObject([{ status, method: "GET" }])
    expect(
      (report?.warnings ?? []).map(({ code, message }) => `${code}: ${message.replace(/ \(call.*/, "")}`),
    ).toEqual(
      warns
        ? [
            `redirect-body: a redirect with status ${status} turned the POST request into GET, so its body was not sent`,
          ]
        : [],
    )
    expect(stdout).toContain('"method":"GET"')
  })

  it.each([307, 308])("doesn't happen with %s", async (status) => {
    const { block, report } = await run(status, "/other")
    expect(block("create").response?.body).toEqual({ method: "POST" })
    expect(block("create").response?.redirects?.[0]).not.toHaveProperty("method")
    expect(report?.warnings ?? []).toEqual([])
  })

  it("fails a run with --strict, and shows the methods in the terminal", async () => {
    const api = await startApi({
      "POST /orders": { status: 301, headers: { location: "/orders/" } },
      "*": { body: {} },
    })
    const options: CallOptions = { files: shopFiles(api.url, [post]) }
    const { stdout, stderr, exitCode } = await callsheet(["run", "w", "--strict"], options)
    await api.close()
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/POST \/orders {2}200 {2}1 redirect to GET/)
    expect(stdout + stderr).toContain("(redirect-body)")
  })
})

describe("a response with a repeated content type", () => {
  it("warns once per block, beside a status that nobody reads", async () => {
    const { report, exitCode } = await send((_, response) => {
      response.writeHead(400, [
        ["Content-Type", "text/html"],
        ["Content-Type", "application/json"],
      ] as never)
      response.end('{"id":1}')
      return undefined
    })
    expect(exitCode).toBe(0)
    expect(report?.warnings?.map(({ code }) => code)).toEqual(["header-invalid", "status-unread"])
    expect(report?.runs[0]?.blocks[0]?.response).toMatchObject({
      headers: { "content-type": "application/json" },
      body: { id: 1 },
    })
  })

  it("warns in a replay of its record, too", async () => {
    const api = await startApi({
      "GET /echo": {
        headers: { "content-encoding": "UTF-8", "content-type": "application/json" },
        body: "{}",
      },
    })
    const folder = await createFolder(shopFiles(api.url, [echo("get")]))
    const recorded = await callsheet(["run", "w", "--json", "--record", "out/r.callsheet"], { folder })
    const replayed = await callsheet(["replay", "out/r.callsheet", "--json"], { folder })
    await api.close()
    for (const { report } of [recorded, replayed])
      expect(report?.warnings?.map(({ code }) => code)).toEqual(["header-invalid"])
  })
})

describe("a body that is not in the content coding that it names", () => {
  it.each<[string, Buffer, string]>([
    [
      "gzip",
      Buffer.from('{"error":"no such item","detail":"the item was removed"}'),
      '"{\\"error\\":\\"no such item\\",\\"detail\\":\\"the it…"',
    ],
    ["br", Buffer.from("<html><body>Bad gateway"), '"<html><body>Bad gateway"'],
    ["deflate", Buffer.from("plain"), '"plain"'],
    [
      "gzip",
      Buffer.of(0x1f, 0x8b, 0x08, 0xff, 0xff, 1, 2, 3, 4, 5, 6, 7),
      "the bytes 1f 8b 08 ff ff 01 02 03",
    ],
    ["gzip", Buffer.from("\u0000\u0001s3cr3t-t0k3n"), "the bytes 00 01"],
    ["gzip", Buffer.from('{"token":"s3cr3t-t0k3n"}'), '"{\\"token\\":\\"***\\"}"'],
  ])("%s %#: shows how it starts", async (coding, body, start) => {
    const { block, stdout } = await send({ headers: { "content-encoding": coding }, body })
    expect(block("get").error?.message).toMatch(
      /^could not decode the response: the \w+ data (?:is corrupt|ends too early)/,
    )
    expect(block("get").error?.message).toContain(`; it starts with ${start}`)
    expect(stdout).not.toContain("s3cr3t")
  })
})
