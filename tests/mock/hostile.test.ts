// Requests that no well-behaved client sends. Whatever arrives, the mock goes on and listens on loopback only.

import { readFileSync } from "node:fs"
import { connect } from "node:net"
import { networkInterfaces } from "node:os"
import { expect, it, onTestFinished } from "vitest"
import { namePairs } from "../app-server/attack-names.ts"
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
