// The faults by name: errors of a server, and a few unusual things that clients must accept.

import type { Socket } from "node:net"
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib"
import type { Arrived, Fault } from "./fault-server.ts"

export type FaultName = keyof typeof faults

/** A complete response with its own `content-length`. */
export function answer(body: string | Uint8Array, lines: readonly string[] = [], status = "200 OK"): Buffer {
  const bytes = Buffer.from(body)
  return Buffer.concat([head([`Content-Length: ${bytes.length}`, ...lines], status), bytes])
}

const head = (lines: readonly string[], status = "200 OK"): Buffer =>
  Buffer.from([`HTTP/1.1 ${status}`, ...lines, "", ""].join("\r\n"), "latin1")

/** Writes these bytes and leaves the connection open. */
const says =
  (bytes: string | Uint8Array): Fault =>
  (socket) =>
    void socket.write(bytes)

/** Writes these bytes and closes the connection normally. */
const ends =
  (bytes: string | Uint8Array): Fault =>
  (socket) =>
    void socket.end(bytes)

/** Writes these bytes, lets them arrive, and resets the connection. */
const resets =
  (bytes: string): Fault =>
  (socket) => {
    if (bytes === "") socket.resetAndDestroy()
    else {
      socket.write(bytes)
      setTimeout(() => socket.resetAndDestroy(), 30)
    }
  }

/** Writes `first`, then `next` repeatedly until the other side has had enough. */
function repeats(first: string | Uint8Array, next: string | Uint8Array, everyMs: number): Fault {
  return (socket) => {
    socket.write(first)
    if (everyMs > 0) {
      const timer = setInterval(() => socket.write(next), everyMs)
      socket.on("close", () => clearInterval(timer))
    } else {
      const fill = (): void => {
        while (!socket.destroyed && socket.write(next)) continue
      }
      socket.on("drain", fill)
      fill()
    }
  }
}

const chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
const encoded = (coding: string, body: Uint8Array): Fault =>
  says(answer(body, [`Content-Encoding: ${coding}`]))

const plain = Buffer.from("The quick brown fox jumps over the lazy dog. ".repeat(200))
const zeros = Buffer.alloc(16 * 1024 * 1024)
const lazily = (make: () => Fault): Fault => {
  let made: Fault | undefined
  return (socket, request) => (made ??= make())(socket, request)
}

const redirect = (status: string, location: string | ((request: Arrived) => string)): Fault => {
  return (socket, request) =>
    void socket.write(
      answer("", [`Location: ${typeof location === "string" ? location : location(request)}`], status),
    )
}

/** The query of the request's path. */
const queryOf = (request: Arrived): string => {
  const at = request.path.indexOf("?")
  return at === -1 ? "" : decodeURIComponent(request.path.slice(at + 1))
}

const once = (mark: string, first: Fault, then: Fault): Fault => {
  const seen = new WeakSet<Socket>()
  return (socket, request) => {
    const isFirst = !seen.has(socket) && request.path.includes(mark)
    seen.add(socket)
    ;(isFirst ? first : then)(socket, request)
  }
}

export const faults = {
  ok: says(answer("ok", ["Content-Type: text/plain"])),
  /** Responds with the received request as JSON. */
  echo: (socket, request) =>
    void socket.write(answer(JSON.stringify(request), ["Content-Type: application/json"])),

  // Silence and slowness.
  silent: () => undefined,
  "stops-in-head": says("HTTP/1.1 200 OK\r\nContent-Ty"),
  "stops-in-body": says("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"),
  "byte-drip": repeats("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", "x", 20),
  "header-drip": repeats("HTTP/1.1 200 OK\r\n", "a: b\r\n", 20),
  "endless-events": repeats("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", "data: 1\n\n", 20),
  "endless-chunks": repeats(chunkedHead, "1\r\nx\r\n", 20),
  "flood-of-100": repeats("", "HTTP/1.1 100 Continue\r\n\r\n".repeat(100), 0),
  "flood-of-chunks": repeats(chunkedHead, "1\r\nx\r\n".repeat(1000), 0),
  unread: (socket) => void socket.pause(),
  "stalled-redirect": says("HTTP/1.1 302 Found\r\nLocation: /ok\r\nContent-Length: 10\r\n\r\nhalf"),

  // Responses that are too large.
  "endless-body": repeats("HTTP/1.1 200 OK\r\n\r\n", Buffer.alloc(256 * 1024), 0),
  "announced-too-large": says("HTTP/1.1 200 OK\r\nContent-Length: 68719476736\r\n\r\n"),
  "gzip-bomb": lazily(() => encoded("gzip", gzipSync(zeros))),
  "small-gzip-bomb": lazily(() => encoded("gzip", gzipSync(zeros.subarray(0, 4 * 1024 * 1024)))),
  "brotli-bomb": lazily(() => encoded("br", brotliCompressSync(zeros))),
  "nested-gzip-bomb": lazily(() => encoded("gzip, gzip", gzipSync(gzipSync(zeros)))),
  "six-codings": encoded("gzip, gzip, gzip, gzip, gzip, gzip", plain),
  "thousand-codings": encoded(Array.from({ length: 1000 }, () => "gzip").join(", "), plain),
  "codings-in-many-headers": says(
    answer(
      plain,
      Array.from({ length: 50 }, () => "Content-Encoding: gzip"),
    ),
  ),

  // Content codings, valid and broken.
  gzip: encoded("gzip", gzipSync(plain)),
  "x-gzip": encoded("X-GZIP", gzipSync(plain)),
  "large-gzip": lazily(() => encoded("gzip", gzipSync(randomText(300_000)))),
  deflate: encoded("deflate", deflateSync(plain)),
  "raw-deflate": encoded("deflate", deflateRawSync(plain)),
  brotli: encoded("br", brotliCompressSync(plain)),
  "three-codings": encoded("deflate, gzip, br", brotliCompressSync(gzipSync(deflateSync(plain)))),
  identity: encoded("identity", plain),
  "empty-gzip": says(answer("", ["Content-Encoding: gzip"])),
  "gzip-lie": encoded("gzip", plain),
  "truncated-gzip": encoded("gzip", gzipSync(plain).subarray(0, 60)),
  "truncated-large-gzip": lazily(() => encoded("gzip", gzipSync(randomText(300_000)).subarray(0, 60_000))),
  "truncated-brotli": encoded("br", brotliCompressSync(plain).subarray(0, 20)),
  "truncated-deflate": encoded("deflate", deflateSync(plain).subarray(0, 40)),
  "wrong-crc": lazily(() => {
    const body = gzipSync(plain)
    body[body.length - 5] = body[body.length - 5]! ^ 0xff
    return encoded("gzip", body)
  }),
  "unknown-coding": encoded("lzma", plain),

  // Wrong lengths.
  "short-body": ends("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhalf"),
  "cut-chunks": ends(`${chunkedHead}4\r\nhalf\r\n8\r\nxx`),
  "no-last-chunk": ends(`${chunkedHead}4\r\nhalf\r\n`),
  "two-answers": says(Buffer.concat([answer("first"), answer("second")])),
  "surplus-body": once(
    "surplus",
    says("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokSURPLUS"),
    says(answer("next")),
  ),
  /** A response to the first request, and shortly after an unsolicited one. */
  "late-answer": (socket, request) => {
    if (request.turn > 0) return void socket.write(answer("next"))
    socket.write(answer("first"))
    setTimeout(() => socket.write(answer("nobody asked")), 30)
  },
  "204-with-body": says("HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n\r\nbody"),
  /** The body arrives after its request ended, and would be the next response. */
  "204-with-late-body": (socket) => {
    socket.write("HTTP/1.1 204 No Content\r\nContent-Length: 40\r\n\r\n")
    setTimeout(() => socket.write(answer("nobody asked")), 30)
  },
  "204-with-chunks": says(
    "HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
  ),
  "204-with-zero-length": says("HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n"),
  "304-with-length": says("HTTP/1.1 304 Not Modified\r\nContent-Length: 4\r\n\r\n"),
  "304-with-body": says("HTTP/1.1 304 Not Modified\r\nContent-Length: 4\r\n\r\nbody"),
  "negative-length": says("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nok"),
  "nan-length": says("HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\nok"),
  "double-length": says("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok"),
  "huge-length": says("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\nok"),
  "length-and-chunks": says(
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
  ),
  "chunks-and-length": says(
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\nok\r\n0\r\n\r\n",
  ),
  "bad-chunk-size": says(`${chunkedHead}ZZ\r\nok\r\n`),
  "chunk-overflow": says(`${chunkedHead}FFFFFFFFFFFFFFFFFF\r\nok\r\n`),
  "chunk-extension": says(`${chunkedHead}2;${"a".repeat(1024 * 1024)}\r\nok\r\n0\r\n\r\n`),

  // Connections that break.
  "reset-at-once": resets(""),
  "reset-in-head": resets("HTTP/1.1 200 O"),
  "reset-in-body": resets("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhalf"),
  "reset-in-chunks": resets(`${chunkedHead}4\r\nhalf\r\n`),
  "end-at-once": ends(""),
  "end-in-head": ends("HTTP/1.1 200 O"),
  /** Responds to the first request of a connection, and closes it at the second. */
  "stale-connection": (socket, request) => {
    if (request.turn === 0) socket.write(answer(`connection ${request.connection}`))
    else socket.resetAndDestroy()
  },
  "stale-in-head": (socket, request) => {
    if (request.turn === 0) return void socket.write(answer("ok"))
    socket.write("HTTP/1.1 20")
    setTimeout(() => socket.resetAndDestroy(), 30)
  },
  "short-keep-alive": says(answer("ok", ["Keep-Alive: timeout=1"])),
  "closes-after": ends(answer("ok", ["Connection: close"])),

  // Responses that are not HTTP/1.1.
  garbage: says("\u0001\u0002garbage\r\n\r\n"),
  "http-0.9": ends("<html>hello</html>"),
  "http-9.9": says("HTTP/9.9 200 OK\r\nContent-Length: 2\r\n\r\nok"),
  "http-2": says(Buffer.from("000012040000000000000300000064000400100000000600004000", "hex")),
  "tls-alert": ends(Buffer.from("15030100020246", "hex")),
  "status-abc": says("HTTP/1.1 abc OK\r\nContent-Length: 2\r\n\r\nok"),
  "status-000": says("HTTP/1.1 000 OK\r\nContent-Length: 2\r\n\r\nok"),
  "status-999": says("HTTP/1.1 999 OK\r\nContent-Length: 2\r\n\r\nok"),
  "status-101": says("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"),
  "bare-101": says("HTTP/1.1 101 Switching Protocols\r\n\r\n"),
  "http-1.0": ends("HTTP/1.0 200 OK\r\n\r\nold"),
  "no-length": ends("HTTP/1.1 200 OK\r\n\r\nuntil the end"),
  "no-reason": says("HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok"),
  "unasked-100": says(Buffer.concat([Buffer.from("HTTP/1.1 100 Continue\r\n\r\n"), answer("ok")])),
  "unasked-103": says(
    Buffer.concat([Buffer.from("HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n"), answer("ok")]),
  ),

  // Headers.
  "header-of-1-mib": says(answer("ok", [`X-Large: ${"a".repeat(1024 * 1024)}`])),
  "header-of-100-kib": says(answer("ok", [`X-Large: ${"a".repeat(100 * 1024)}`])),
  "20000-headers": says(
    answer(
      "ok",
      Array.from({ length: 20_000 }, (_, index) => `x${index}: y`),
    ),
  ),
  "100000-headers": says(
    answer(
      "ok",
      Array.from({ length: 100_000 }, (_, index) => `x${index}: y`),
    ),
  ),
  "1000-cookies": says(
    answer(
      "ok",
      Array.from({ length: 1_000 }, (_, index) => `Set-Cookie: c${index}=v; Path=/never`),
    ),
  ),
  "nul-in-header": says("HTTP/1.1 200 OK\r\nX-A: a\0b\r\nContent-Length: 2\r\n\r\nok"),
  "no-colon": says("HTTP/1.1 200 OK\r\nthis is not a header\r\nContent-Length: 2\r\n\r\nok"),
  "folded-header": says("HTTP/1.1 200 OK\r\nX-A: a\r\n b\r\nContent-Length: 2\r\n\r\nok"),
  "repeated-headers": says(
    answer("ok", [
      "X-A: 1",
      "x-a: 2",
      "Content-Type: a/b",
      "content-type: c/d",
      "__proto__: p",
      "constructor: c",
    ]),
  ),

  // Redirects to the URL after `?`.
  "redirect-301": redirect("301 Moved Permanently", queryOf),
  "redirect-302": redirect("302 Found", queryOf),
  "redirect-303": redirect("303 See Other", queryOf),
  "redirect-307": redirect("307 Temporary Redirect", queryOf),
  "redirect-308": redirect("308 Permanent Redirect", queryOf),
  "redirect-loop": redirect("302 Found", "/redirect-loop"),
  /** Redirects as many times as its query says. */
  "redirect-count": (socket, request) => {
    const left = Number(queryOf(request))
    const next = left > 1 ? `/redirect-count?${left - 1}` : "/echo"
    socket.write(answer("", [`Location: ${next}`], "302 Found"))
  },
  "redirect-nowhere": says(answer("stay", [], "302 Found")),
  "redirect-empty": says(answer("stay", ["Location: "], "302 Found")),
  "redirect-with-endless-body": repeats(
    "HTTP/1.1 302 Found\r\nLocation: /ok\r\n\r\n",
    Buffer.alloc(16 * 1024),
    1,
  ),
  /** Redirects to the query and keeps the request's query, like servers that move to another host. */
  "redirect-echoing": (socket, request) => {
    const [to = "", own = ""] = queryOf(request).split("&", 2)
    socket.write(answer("", [`Location: ${to}/echo?${own}&page=1`], "302 Found"))
  },
  "redirect-with-cookie": (socket, request) =>
    void socket.write(
      answer("", [`Location: ${queryOf(request)}`, "Set-Cookie: hop=1; Path=/"], "302 Found"),
    ),

  // Cookies: each query parameter is a `Set-Cookie` line.
  "set-cookie": (socket, request) =>
    void socket.write(
      answer(
        "ok",
        [...new URLSearchParams(request.path.split("?")[1] ?? "").values()].map(
          (line) => `Set-Cookie: ${line}`,
        ),
      ),
    ),
} as const satisfies Record<string, Fault>

/** Text that does not compress well. */
function randomText(length: number): Buffer {
  let state = 1
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length; at++) {
    state = (state * 48_271) % 2_147_483_647
    bytes[at] = 33 + (state % 90)
  }
  return bytes
}
