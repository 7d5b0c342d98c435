// A server in its own process that closes connections early. A server in the test's process would close them only when
// the client's code lets it. The path names what it does.

import { once } from "node:events"
import { createServer } from "node:net"
import { createServer as createTlsServer } from "node:tls"

const answer = (body, lines = [], status = "200 OK") =>
  `HTTP/1.1 ${status}\r\n${["Content-Type: text/plain", `Content-Length: ${body.length}`, ...lines].join("\r\n")}\r\n\r\n${body}`

const chunked = (body, status = "200 OK") =>
  `HTTP/1.1 ${status}\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`

const tooLarge = "413 Payload Too Large"
const closeAfterWriting = (bytes) => (socket) => void socket.end(bytes)
const abandonAfterWriting = (bytes) => (socket) => {
  socket.pause()
  socket.write(bytes, () => socket.destroy())
}

/** What the server does once it has read the whole request. */
const afterRequest = {
  ok: (socket) => void socket.write(answer("ok")),
  ends: closeAfterWriting(answer("ok")),
  "ends-chunked": closeAfterWriting(chunked("ok")),
  "ends-with-promise": closeAfterWriting(answer("ok", ["Connection: keep-alive", "Keep-Alive: timeout=60"])),
  "ends-204": closeAfterWriting("HTTP/1.1 204 No Content\r\n\r\n"),
  "ends-500": closeAfterWriting(answer("no", [], "500 Internal Server Error")),
  "ends-large": closeAfterWriting(answer("x".repeat(300_000))),
  abandons: abandonAfterWriting(answer("ok")),
  redirects: (socket) => void socket.end(answer("", ["Location: /ok"], "307 Temporary Redirect")),
}

/** What the server does at the first byte of the request, without reading the rest. */
const atOnce = {
  "413-ends": (socket) => {
    socket.pause()
    socket.end(answer("too large", ["Connection: close"], tooLarge), () => socket.destroy())
  },
  "413-abandons": abandonAfterWriting(answer("too large", [], tooLarge)),
  "413-chunked": abandonAfterWriting(chunked("too large", tooLarge)),
  "413-large": abandonAfterWriting(answer("x".repeat(30_000), [], tooLarge)),
  "413-without-length": (socket) => {
    socket.pause()
    socket.end(`HTTP/1.1 ${tooLarge}\r\n\r\ntoo large`, () => socket.destroy())
  },
  "401-stays-open": (socket) => {
    socket.pause()
    socket.write(answer("who are you?", [], "401 Unauthorized"))
  },
  "100-then-413": abandonAfterWriting(`HTTP/1.1 100 Continue\r\n\r\n${answer("too large", [], tooLarge)}`),
  "says-nothing": (socket) => {
    socket.pause()
    socket.destroy()
  },
}

function onConnection(socket) {
  let text = ""
  socket.on("error", () => undefined)
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1")
    const end = text.indexOf("\r\n\r\n")
    const name = /^\S+ \/([^ ?]*)/.exec(text)?.[1] ?? ""
    if (atOnce[name] !== undefined) return void atOnce[name](socket)
    if (end === -1) return
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? 0)
    if (text.length < end + 4 + length) return
    process.send({ arrived: text.split(" ", 2)[1] })
    text = ""
    afterRequest[name](socket)
  })
}

async function listen(server) {
  server.on("tlsClientError", () => undefined)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return server.address().port
}

const [{ tls }] = await once(process, "message")
const http = await listen(createServer({ noDelay: true }, onConnection))
const https = await listen(createTlsServer(tls, onConnection))
process.send({ http, https })
