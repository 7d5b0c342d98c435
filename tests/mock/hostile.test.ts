// Requests that no well-behaved client sends. Whatever arrives, the mock goes on and listens on loopback only.

import { readFileSync } from "node:fs"
import { rm, writeFile } from "node:fs/promises"
import { connect } from "node:net"
import { networkInterfaces } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { namePairs } from "../app-server/attack-names.ts"
import { callsheet, createFolder } from "../harness/callsheet.ts"
import { requestText, sendAll, sendRaw } from "../app-server/raw-client.ts"
import { asUser, files } from "./documents.ts"
import { send, startMock } from "./mock-process.ts"

async function start(words: readonly string[] = []) {
  const mock = await startMock(words, { files })
  const url = mock.urls["shop"] ?? ""
  const port = Number(new URL(url).port)
  const isAlive = async () => (await send(`${url}/health`)).status === 200
  return { ...mock, url, port, isAlive }
}

const host = ["host", "a"] as const
const json = ["content-type", "application/json"] as const
const auth = ["authorization", "Bearer x1234"] as const

it("answers invalid targets, headers and bytes without ending", async () => {
  const { port, isAlive, stop } = await start(["--state"])
  const raws = [
    "GET * HTTP/1.1\r\nhost: a\r\n\r\n",
    "GET http://[ HTTP/1.1\r\nhost: a\r\n\r\n",
    "GET //// HTTP/1.1\r\nhost: a\r\n\r\n",
    "GET /api/v1/%zz%00%ff HTTP/1.1\r\nhost: a\r\n\r\n",
    `GET /api/v1/${"a/".repeat(4000)} HTTP/1.1\r\nhost: a\r\n\r\n`,
    `GET /api/v1/health?${"a=1&".repeat(3000)} HTTP/1.1\r\nhost: a\r\n\r\n`,
    `GET / HTTP/1.1\r\nhost: a\r\nx: ${"y".repeat(20_000)}\r\n\r\n`,
    `GET /api/v1/health HTTP/1.1\r\nhost: a\r\naccept: ${"a/b;q=0.1,".repeat(1000)}\r\n\r\n`,
    `GET /api/v1/health HTTP/1.1\r\nhost: a\r\nprefer: ${'code="'.repeat(1000)}\r\n\r\n`,
    "CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n",
    "GET / HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n",
    "\u0016\u0003\u0001\r\n\r\n",
    "POST /api/v1/orders HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
  ]
  for (const raw of raws)
    expect((await sendRaw(port, raw.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n"))).status).not.toBe(
      500,
    )
  expect(await isAlive()).toBe(true)
  expect((await stop()).stderr).toBe("")
}, 60_000)

it("survives bodies that are huge, deep or full of special names", async () => {
  const { port, url, isAlive, stop } = await start(["--state"])
  const large = await sendRaw(
    port,
    requestText({
      method: "POST",
      target: "/api/v1/orders",
      headers: [host, json, auth],
      body: "x".repeat(11 * 1024 * 1024),
    }),
  )
  expect(large.status).toBe(413)
  const announced = await sendRaw(
    port,
    requestText({
      method: "POST",
      target: "/api/v1/orders",
      headers: [host, ["content-length", "9999999999"]],
    }),
  )
  expect(announced.status).toBe(413)
  for (const body of [
    `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
    `{"sku":"aa","quantity":1,"note":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}`,
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{}},"sku":"aa","quantity":1}',
    '{"sku":"\\ud800","quantity":1e999}',
    "\u0000",
  ]) {
    const { status } = await send(`${url}/orders`, {
      method: "POST",
      headers: { ...asUser, "content-type": "application/json" },
      body,
    })
    expect(status).toBe(400)
  }
  expect(await isAlive()).toBe(true)
  expect((await stop()).stderr).toBe("")
}, 60_000)

it("reads no file for any name", async () => {
  const { port, isAlive, stop } = await start(["--state"])
  const secret = readFileSync("/etc/passwd", "utf8").split("\n")[0] ?? "root:"
  const names = namePairs()
    .map(([name]) => name)
    .filter((name) => name.length < 8_000)
  const targets = names.map((name) => `/api/v1/labels/${encodeURIComponent(Buffer.from(name).toString())}`)
  const raw = names.filter((name) => /^[\x21-\x7e]+$/.test(name)).map((name) => `/api/v1/labels/${name}`)
  const requests = [...targets, ...raw].map((target) => requestText({ target, headers: [host] }))
  for (let at = 0; at < requests.length; at += 100)
    for (const { status, text } of await sendAll(port, requests.slice(at, at + 100))) {
      expect([400, 404]).toContain(status)
      expect(text).not.toContain(secret)
    }
  expect(await isAlive()).toBe(true)
  expect((await stop()).stderr).toBe("")
}, 60_000)

it("answers pipelined requests in order, and others beside idle connections", async () => {
  const { port, isAlive } = await start()
  const requests = Array.from({ length: 200 }, (_, at) =>
    requestText({ target: at % 2 === 0 ? "/api/v1/health" : "/x", headers: [host] }),
  )
  const statuses = (await sendAll(port, requests)).map(({ status }) => status)
  expect(statuses).toEqual(requests.map((_, at) => (at % 2 === 0 ? 200 : 404)))
  const idle = Array.from({ length: 300 }, () =>
    connect({ port, host: "127.0.0.1" }).on("error", () => undefined),
  )
  onTestFinished(() => idle.forEach((socket) => socket.destroy()))
  for (const socket of idle) socket.write("GET /api/v1/health HTTP/1.1\r\nx: ")
  expect(await isAlive()).toBe(true)
})

it("takes nothing from the Host header, however it is written", async () => {
  const { port, url, isAlive } = await start(["--state"])
  const hosts = [
    "",
    "evil.example",
    "127.0.0.1",
    `[::1]:${port}`,
    "a/../b",
    "a, b",
    "{{x}}",
    "é",
    "a".repeat(9_000),
  ]
  for (const name of hosts) {
    const body = JSON.stringify({ sku: "aa", quantity: 1 })
    const headers = [["host", name], json, auth] as const
    const answer = await sendRaw(
      port,
      requestText({ method: "POST", target: "/api/v1/orders", headers, body }),
    )
    expect([201, 400]).toContain(answer.status)
    if (answer.status === 201) expect(answer.headers["location"]).toContain(`${url}/orders/`)
  }
  const twice = [host, ["host", "evil.example"]] as const
  expect((await sendRaw(port, requestText({ target: "/api/v1/health", headers: twice }))).status).not.toBe(
    500,
  )
  expect(await isAlive()).toBe(true)
}, 60_000)

it("answers no request that is hidden in the body of another", async () => {
  const { port, isAlive, stop } = await start()
  const hidden = "GET /api/v1/hidden HTTP/1.1\r\nhost: a\r\n\r\n"
  const post = (headers: string, body: string): string =>
    `POST /api/v1/login HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${headers}\r\n\r\n${body}`
  for (const bytes of [
    post(`content-length: ${hidden.length}\r\ncontent-length: 0`, hidden),
    post(`content-length: 0\r\ncontent-length: ${hidden.length}`, hidden),
    post(`content-length: ${hidden.length}, 0`, hidden),
    post(`content-length: +${hidden.length}`, hidden),
    post("content-length: 0\r\ntransfer-encoding: chunked", `0\r\n\r\n${hidden}`),
    post("transfer-encoding: chunked\r\ntransfer-encoding: identity", `0\r\n\r\n${hidden}`),
    post("transfer-encoding: xchunked", `0\r\n\r\n${hidden}`),
    post("transfer-encoding : chunked", `0\r\n\r\n${hidden}`),
    post("transfer-encoding: chunked", `5\nabcde0\r\n\r\n${hidden}`),
    post("transfer-encoding: chunked", `fffffffffffffffff\r\n${hidden}`),
    post("transfer-encoding: chunked", `0;${"x".repeat(20_000)}\r\n\r\n${hidden}`),
    post("content-type: text/plain\r\n content-length: 0", hidden),
  ]) {
    const { text, status } = await sendRaw(port, bytes)
    expect(status).not.toBe(500)
    expect(text.match(/HTTP\/1\.1 \d/g) ?? []).toHaveLength(status === 0 ? 0 : 1)
  }
  expect(await isAlive()).toBe(true)
  const { stdout, stderr } = await stop()
  expect(stdout).not.toContain("/hidden")
  expect(stderr).toBe("")
}, 60_000)

it("answers others while bodies never end", async () => {
  const { port, url } = await start()
  const slow = Array.from({ length: 200 }, () =>
    connect({ port, host: "127.0.0.1" }).on("error", () => undefined),
  )
  onTestFinished(() => slow.forEach((socket) => socket.destroy()))
  for (const socket of slow)
    socket.write("POST /api/v1/login HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\na")
  for (let at = 0; at < 20; at++) expect((await send(`${url}/health`)).status).toBe(200)
})

it("reads thousands of keys, and names of every object, as data", async () => {
  const { url, isAlive, stop } = await start(["--state"])
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`k${at}`, at]))
  const label = await send(`${url}/labels`, { method: "POST", body: { name: "many", ...many } })
  expect(label.status).toBe(201)
  expect((await send(`${url}/labels/many`)).body).toMatchObject({ k0: 0, k5000: 5_000 })
  const special =
    '{"name":"odd","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"hasOwnProperty":1}'
  const odd = { method: "POST", headers: { "content-type": "application/json" }, body: special }
  expect((await send(`${url}/labels`, odd)).status).toBe(201)
  const { text } = await send(`${url}/labels/odd`)
  expect(text).toContain('"__proto__":{"polluted":1}')
  expect((await send(`${url}/health?__proto__[polluted]=1&constructor=2`)).status).toBe(400)
  expect((await send(`${url}/labels/polluted`)).status).toBe(404)
  const form = Array.from({ length: 10_000 }, (_, at) => `k${at}=1`).join("&")
  const login = { "content-type": "application/x-www-form-urlencoded" }
  const sent = { method: "POST", headers: login, body: `user=a&password=b&${form}` }
  expect((await send(`${url}/login`, sent)).status).toBe(200)
  expect(await isAlive()).toBe(true)
  expect((await stop()).stderr).toBe("")
}, 60_000)

it("refuses or ignores every Prefer that names nothing documented", async () => {
  const { port, stop } = await start()
  const refused = [
    "code=999",
    "code=100",
    "code=-1",
    "code=2e2",
    "code=0x1f7",
    "code=__proto__",
    "code",
    "code=",
    'code="200\\',
    'example="../../etc/passwd"',
    "example=__proto__",
    "example=constructor",
    "example={{x}}",
    `example=${"x".repeat(8_000)}`,
  ]
  const ignored = [
    "",
    ",",
    ";;;",
    "=",
    '"',
    "__proto__=1",
    "constructor=2",
    "Code =200",
    "wait=999999999",
    "respond-async",
  ]
  const ask = (prefer: string) =>
    sendRaw(port, requestText({ target: "/api/v1/health", headers: [host, ["prefer", prefer]] }))
  for (const prefer of refused) expect([prefer, (await ask(prefer)).status]).toEqual([prefer, 400])
  for (const prefer of ignored) expect([prefer, (await ask(prefer)).status]).toEqual([prefer, 200])
  expect((await stop()).stderr).toBe("")
}, 60_000)

it.each<readonly [string, string | Buffer]>([
  ["empty", ""],
  ["of other bytes", Buffer.from([0, 255, 254, 10, 13])],
  ["JSON of another kind", '{"version":1}\n'],
  ["a single open line", '{"type":"run.started"'],
  ["a huge line", `{"callsheet":${"1".repeat(1_000_000)}`],
])("refuses a record that is %s with 2, and no stack", async (_, content) => {
  const folder = await createFolder(files)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, "broken.callsheet"), content)
  const { exitCode, stdout, stderr } = await callsheet(["mock", "--from", "broken.callsheet"], { folder })
  expect([exitCode, stdout]).toEqual([2, ""])
  expect(stderr).toContain("record-invalid")
  expect(stderr).not.toMatch(/\n\s+at |bug/)
})

it("listens on nothing but loopback", async () => {
  const { port } = await start()
  const others = Object.values(networkInterfaces()).flatMap((own = []) =>
    own.filter(({ internal, family }) => !internal && family === "IPv4"),
  )
  for (const { address } of others) {
    const refused = await new Promise<boolean>((resolve) => {
      const socket = connect({ port, host: address })
      socket.on("connect", () => resolve(false)).on("error", () => resolve(true))
      onTestFinished(() => void socket.destroy())
    })
    expect(refused).toBe(true)
  }
})
