// Whatever a sender sends, and however a run ends: the inbox keeps what it can, and no server outlives the run.

import { request } from "node:http"
import { connect } from "node:net"
import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { callsheet } from "../harness/callsheet.ts"
import { assert, counts, json, openInboxProject, read, strict, subscribe, workflow } from "./inbox-project.ts"

interface Sent {
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: Uint8Array | string
}

/** Sends bytes with a Node client, which doesn't change them. Returns the status. */
const send = (url: string, { path = "", headers = {}, body }: Sent) =>
  new Promise<number | undefined>((resolve, reject) => {
    const all = { "content-type": "application/json", ...headers }
    const sending = request(url + path, { method: "POST", headers: all }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode))
    })
    sending.on("error", reject).end(body)
  })

/** Sends lines over a socket, and returns the first line of the answer. */
const sendRaw = (url: string, text: (path: string) => string) =>
  new Promise<string>((resolve) => {
    const { port, pathname } = new URL(url)
    const socket = connect(Number(port), "127.0.0.1")
    let answer = ""
    socket.on("data", (chunk) => (answer += chunk.toString()))
    socket.on("close", () => resolve(answer.split("\r\n", 1)[0] ?? ""))
    socket.on("error", () => undefined)
    socket.write(text(pathname))
  })

const MIB = 1024 * 1024
const deep = "[".repeat(100_000) + "]".repeat(100_000)

const kept: readonly (readonly [what: string, sent: Sent, body: string | undefined])[] = [
  [
    "prototype names",
    { body: '{"__proto__":{"a":1},"constructor":2}' },
    '{"__proto__":{"a":1},"constructor":2}',
  ],
  ["large integers", { body: "[9007199254740993]" }, "[9007199254740993]"],
  ["deep JSON", { body: deep }, deep],
  ["broken JSON", { body: "{" }, '"{"'],
  ["invalid UTF-8", { body: Buffer.from([0x22, 0xff, 0x22]) }, '"\\"\ufffd\\""'],
  ["UTF-16", { body: Buffer.from("\ufeff[1]", "utf16le") }, "[1]"],
  ["gzip", { headers: { "content-encoding": "gzip" }, body: gzipSync("[2]") }, "[2]"],
  ["broken gzip", { headers: { "content-encoding": "gzip" }, body: "abc" }, '"YWJj"'],
  ["an unknown coding", { headers: { "content-encoding": "x-mine" }, body: "abc" }, '"YWJj"'],
  ["bytes", { headers: { "content-type": "image/png" }, body: Buffer.from([0, 255]) }, '"AP8="'],
  ["nothing", { body: "" }, undefined],
  ["Expect", { headers: { expect: "100-continue" }, body: "[3]" }, "[3]"],
]

const refused: readonly Sent[] = [
  { body: Buffer.alloc(11 * MIB, 0x20) },
  { headers: { "transfer-encoding": "chunked" }, body: Buffer.alloc(11 * MIB, 0x20) },
  { headers: { "content-encoding": "gzip" }, body: gzipSync(Buffer.alloc(200 * MIB)) },
]

describe("the inbox", () => {
  it("keeps hostile bodies, refuses large ones, and goes on", async () => {
    const statuses: (number | undefined)[] = []
    const lines: string[] = []
    const { run } = await openInboxProject({ one: workflow(subscribe("/b"), read("all")) }, async (url) => {
      for (const [, sent] of kept) await send(url, sent)
      for (const sent of refused) statuses.push(await send(url, { ...sent, path: "/large" }))
      const raw = (line: (path: string) => string, more = "") =>
        sendRaw(url, (path) => `${line(path)} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${more}\r\n`)
      lines.push(
        await raw((path) => `POST ${path.replace(/[\w-]{3}\//, "xxx/")}`),
        await raw((path) => `POST http://127.0.0.1${path}`),
        await raw((path) => `CONNECT ${path}`),
        await raw((path) => `POST ${path}/%zz?%zz=%&__proto__=1`, "__proto__: x\r\n"),
      )
      // Leaves in the middle of the body.
      const { port, pathname } = new URL(url)
      await new Promise((resolve) => {
        const socket = connect(Number(port), "127.0.0.1").on("close", resolve)
        socket.write(`POST ${pathname} HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\nabc`, () =>
          socket.destroy(),
        )
      })
    })
    const { exitCode, stdout } = await run("run one --reporter ndjson")
    expect(exitCode).toBe(0)
    expect(statuses).toEqual([413, 413, 413])
    expect(lines.map((line) => line.slice(0, 12))).toEqual([
      "HTTP/1.1 404",
      "HTTP/1.1 400",
      "",
      "HTTP/1.1 204",
    ])
    const text = stdout
      .split("\n")
      .find((line) => line.includes('"response.received"') && line.includes("messages"))
    const messages = (text ?? "").split('{"id":').slice(1)
    expect(messages).toHaveLength(kept.length + 1)
    for (const [at, [what, , body]] of kept.entries())
      if (body === undefined) expect(messages[at], what).not.toContain('"body":')
      else expect(messages[at], what).toContain(`"body":${body}`)
    expect(messages.at(-1)).toContain('"path":"/b/%zz","query":{"%zz":"%","__proto__":"1"}')
  }, 60_000)

  it("receives 1,000 messages at once", async () => {
    const { run } = await openInboxProject(
      { one: strict(subscribe("/onPaid"), read("all"), assert(...counts("all", 1000))) },
      async (url) => {
        const sent = Array.from({ length: 1000 }, (_, id) => fetch(url, json({ id, state: "paid" })))
        const answers = await Promise.all(sent)
        expect(answers.filter(({ status }) => status === 204)).toHaveLength(1000)
      },
    )
    const { exitCode, stdout } = await run("run one", { timeoutMs: 60_000 })
    expect(exitCode, stdout.slice(0, 2000)).toBe(0)
  }, 90_000)

  it("has a limit for what it keeps, until the workflow deletes it", async () => {
    const statuses: (number | undefined)[] = []
    const large = { headers: { "content-type": "text/plain" }, body: Buffer.alloc(9 * MIB, "x") }
    const { run } = await openInboxProject(
      {
        one: workflow(
          subscribe("/a", "fill"),
          { id: "clear", type: "request", request: { api: "inbox", operation: "deleteMessages" } },
          subscribe("/a", "again"),
        ),
      },
      async (url) => {
        let status: number | undefined = 204
        for (let count = 0; count < 30 && status === 204; count++) status = await send(url, large)
        statuses.push(status)
      },
    )
    expect(await run("run one", { timeoutMs: 60_000 })).toMatchObject({ exitCode: 0 })
    expect(statuses).toEqual([507, 507])
  }, 90_000)
})

describe("a run with an inbox that ends early", () => {
  const forever = workflow(subscribe("/a"), {
    id: "wait",
    type: "loop",
    mode: "until",
    maxIterations: 100_000,
    delayMs: 20,
    until: { source: "arrived.response.body.messages.0", operator: "exists" },
    blocks: [read("arrived")],
  })

  it.each(["SIGKILL", "SIGINT", "SIGTERM"] as const)("leaves no server after %s", async (name) => {
    let isThere: () => void = () => undefined
    const after = new Promise<void>((resolve) => (isThere = resolve))
    const { folder, urls } = await openInboxProject({ forever }, () => Promise.resolve(isThere()))
    await callsheet(["run", "forever"], { folder, signal: { name, after } })
    const refusal = await fetch(urls[0] ?? "").catch((error: Error) => (error.cause as { code: string }).code)
    expect(refusal).toBe("ECONNREFUSED")
  })
})
