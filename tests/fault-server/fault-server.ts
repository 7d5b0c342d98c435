// A server on loopback that speaks raw bytes: it breaks HTTP in every way that faults.ts lists, and records requests.

import { once } from "node:events"
import { createServer, type AddressInfo, type Server, type Socket } from "node:net"
import { createServer as createTlsServer } from "node:tls"
import { faults, type FaultName } from "./faults.ts"

export interface Arrived {
  readonly method: string
  /** Path and query as received. */
  readonly path: string
  /** Lowercase names. Repeated headers are joined with `, `. */
  readonly headers: Readonly<Record<string, string>>
  /** The request line and the header lines as received. */
  readonly head: string
  readonly body: string
  /** Counts the server's connections from 0. */
  readonly connection: number
  /** Counts the connection's requests from 0. */
  readonly turn: number
}

/** Writes a response, or something else. */
export type Fault = (socket: Socket, request: Arrived) => void

export interface FaultServer {
  readonly port: number
  /** `http://127.0.0.1:<port>`, or https. */
  readonly origin: string
  readonly url: (fault: FaultName, query?: string) => string
  readonly arrived: readonly Arrived[]
  /** Open connections. */
  readonly open: () => number
  /** All connections so far. */
  readonly made: () => number
  readonly close: () => Promise<void>
}

export interface FaultServerOptions {
  readonly tls?: { readonly key: string; readonly cert: string }
  /** One fault for every request, instead of the named ones. */
  readonly answer?: Fault
}

/**
 * Starts a server. The first segment of a request's path names the fault.
 *
 *     const server = await startFaultServer()
 *     server.url("truncated-gzip")
 */
export async function startFaultServer(options: FaultServerOptions = {}): Promise<FaultServer> {
  const arrived: Arrived[] = []
  const sockets = new Set<Socket>()
  let made = 0
  const onConnection = (socket: Socket): void => {
    const connection = made++
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
    socket.on("error", () => undefined)
    receive(socket, connection, (request) => {
      arrived.push(request)
      const answer = options.answer ?? faultOf(request.path)
      answer(socket, request)
    })
  }
  const server: Server =
    options.tls === undefined
      ? createServer({ noDelay: true }, onConnection)
      : createTlsServer(options.tls, onConnection)
  server.on("tlsClientError", () => undefined)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const origin = `${options.tls === undefined ? "http" : "https"}://127.0.0.1:${port}`
  return {
    port,
    origin,
    url: (fault, query = "") => `${origin}/${fault}${query}`,
    arrived,
    open: () => sockets.size,
    made: () => made,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, "close")
    },
  }
}

function faultOf(path: string): Fault {
  const name = /^\/([^/?]*)/.exec(path)?.[1] ?? ""
  if (!Object.hasOwn(faults, name)) throw new Error(`there is no fault ${name}`)
  return faults[name as FaultName]
}

/** Reads requests with a `content-length` or without a body. A fault may destroy the socket meanwhile. */
function receive(socket: Socket, connection: number, onRequest: (request: Arrived) => void): void {
  let text = ""
  let turn = 0
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1")
    for (;;) {
      const end = text.indexOf("\r\n\r\n")
      if (end === -1) return
      const head = text.slice(0, end)
      const headers = readHeaders(head)
      const length = Number(headers["content-length"] ?? 0)
      // "unread" never reads the body, so it must respond after the headers.
      const whole = end + 4 + (head.includes(" /unread") ? 0 : length)
      if (text.length < whole) return
      const [method = "", path = ""] = head.split(" ", 2)
      onRequest({ method, path, headers, head, body: text.slice(end + 4, whole), connection, turn: turn++ })
      text = text.slice(whole)
    }
  })
}

function readHeaders(head: string): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const line of head.split("\r\n").slice(1)) {
    const colon = line.indexOf(":")
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  return headers
}
