// A server that sends streams: events that end, go on, stop, break off, or come in odd pieces.

import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { createBrotliCompress, createGzip, type BrotliCompress, type Gzip } from "node:zlib"

const EVENTS = { "content-type": "text/event-stream" }
const LINES = { "content-type": "application/x-ndjson" }

type Stream = (response: ServerResponse, query: URLSearchParams) => void

/** Writes text and leaves the stream open. */
const stays =
  (text: string, headers: Readonly<Record<string, string>> = EVENTS): Stream =>
  (response) =>
    void response.writeHead(200, headers).write(text)

const ends =
  (text: string | Uint8Array, headers: Readonly<Record<string, string>> = EVENTS): Stream =>
  (response) =>
    void response.writeHead(200, headers).end(text)

function compressed(coding: "gzip" | "br", stream: Gzip | BrotliCompress): Stream {
  return (response) => {
    response.writeHead(200, { ...EVENTS, "content-encoding": coding })
    stream.pipe(response)
    stream.write('data: {"id":7}\n\n')
    stream.flush()
  }
}

const odd = `\uFEFF: hé\r\nid: 1\r\nevent: made\r\nretry: 5\r\ndata: {"n":"é€😀"}\r\n\r\ndata: 2\r\rdata: x\n\n`

/** Writes a text one byte at a time, each in a packet of its own as far as possible. */
const byteByByte: Stream = (response) => {
  response.writeHead(200, EVENTS)
  const bytes = Buffer.from(odd)
  const next = (at: number): void => {
    if (at === bytes.length) return void response.end()
    response.write(bytes.subarray(at, at + 1), () => setImmediate(next, at + 1))
  }
  next(0)
}

/** Writes as many events as the client takes, up to `count`. */
const flood: Stream = (response, query) => {
  const count = Number(query.get("count") ?? Infinity)
  response.writeHead(200, EVENTS)
  let index = 0
  const more = (): void => {
    while (index < count && !response.destroyed) {
      const text = `event: tick\nid: ${index}\ndata: {"n":${index},"name":"item ${index}"}\n\n`
      index++
      if (!response.write(text)) return void response.once("drain", more)
    }
    response.end()
  }
  more()
}

/** Writes text again and again, until the client closes the connection. */
const beats =
  (first: string, beat: string): Stream =>
  (response) => {
    response.writeHead(200, EVENTS).write(first)
    const timer = setInterval(() => response.write(beat), 20)
    response.on("close", () => clearInterval(timer))
  }

const streams: Readonly<Record<string, Stream>> = {
  orders: ends('event: created\nid: 1\ndata: {"id":7}\n\ndata: {"id":8}\n\n'),
  scalars: ends("data: 5\n\ndata: true\n\ndata: hello\n\n"),
  idle: stays('data: {"id":7}\n\n'),
  done: stays('data: {"id":7}\n\nevent: done\ndata: bye\n\ndata: late\n\n'),
  mark: stays('data: {"id":7}\n\ndata: [DONE]\n\ndata: late\n\n'),
  beats: beats('data: {"id":7}\n\n', ": beat\n"),
  silent: beats(": hello\n", ": beat\n"),
  flood,
  bytes: byteByByte,
  gzip: (response, query) => compressed("gzip", createGzip())(response, query),
  br: (response, query) => compressed("br", createBrotliCompress())(response, query),
  breaks: (response) => {
    response.writeHead(200, EVENTS).write('data: {"id":7}\n\n', () => setImmediate(() => response.destroy()))
  },
  large: ends(`data: ${"x".repeat(70_000)}\n\n`),
  lines: ends('{"id":7}\n\n{"id":8}\r\n{"id":9}', LINES),
  jsonl: ends('{"id":7}\n', { "content-type": "application/jsonl" }),
  sequence: ends('\u001e{"id":7}\n\u001e{"id":8}\n', { "content-type": "application/json-seq" }),
  malformed: ends('{"id":7}\nnope\n{"id"\n', LINES),
  cut: ends("data: 1\n\ndata: 2\n"),
  "invalid-utf8": ends(Buffer.concat([Buffer.from("data: a"), Buffer.from([0xff]), Buffer.from("\n\n")])),
  empty: ends(""),
  // The token isn't known to be secret until its event arrives. Its text comes in two packets.
  secret: (response) => {
    response.writeHead(200, EVENTS).write('data: {"access_token":"canary-')
    setImmediate(() => response.end('47110815"}\n\ndata: again canary-47110815 here\n\n'))
  },
}

export interface StreamServer {
  readonly url: string
  readonly close: () => Promise<void>
}

export async function startStreams(): Promise<StreamServer> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://127.0.0.1")
    const stream = streams[pathname.slice(1)]
    if (stream === undefined) response.writeHead(404).end()
    else stream(response, searchParams)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, "close")
    },
  }
}

export const streamNames = Object.keys(streams)
