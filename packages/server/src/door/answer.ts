// Writes answers with their common headers. Reads refused requests to the end, because the client would otherwise not
// get the answer.

import { STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { stringifyJson, type JsonValue } from "@callsheet/format"
import type { CallFailure } from "../calls/index.ts"

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/**
 * Limits for reading the rest of a refused request. If the connection closes earlier, the client might not get the
 * answer.
 */
const DRAINED_BYTES = 64 * 1024 * 1024
const DRAIN_MS = 2_000

/** Converts a value to JSON. Throws for a value that JSON can't represent, such as a circular object. */
export const jsonText = (value: unknown): string => stringifyJson(value as JsonValue)

export const jsonAnswer = (value: unknown, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status: 200,
  headers: { "content-type": "application/json", ...headers },
  body: jsonText(value),
})

export const failureAnswer = (
  status: number,
  failure: CallFailure,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({ ...jsonAnswer(failure, headers), status })

export function send({ response }: Exchange, answer: Answer): void {
  response.writeHead(answer.status, headersOf(answer)).end(answer.body)
}

/** Answers a request without using the rest of it. Closes the connection. */
export function sendAndClose({ request, response }: Exchange, answer: Answer): void {
  response.writeHead(answer.status, { ...headersOf(answer), connection: "close" })
  if (request.readableEnded) {
    response.end(answer.body)
    return
  }
  // `end` would close a connection that is still receiving data, so write first.
  response.write(answer.body)
  const late = setTimeout(() => request.destroy(), DRAIN_MS)
  let drained = 0
  request
    .on("data", (chunk: Buffer) => {
      drained += chunk.length
      if (drained > DRAINED_BYTES) request.destroy()
    })
    .on("end", () => response.end())
    .on("close", () => clearTimeout(late))
    .on("error", () => undefined)
    .resume()
}

/** Answers an invalid or unsupported request on the raw socket, and closes the connection. */
export function sendRaw(socket: Duplex, answer: Answer): void {
  const headers = { ...headersOf(answer), connection: "close" }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const head = [`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ""}`, ...lines, "", ""].join(
    "\r\n",
  )
  socket.on("error", () => undefined)
  socket.end(Buffer.concat([Buffer.from(head, "latin1"), Buffer.from(answer.body)]), () => socket.destroy())
}

const headersOf = ({ headers, body }: Answer): Record<string, string> => ({
  ...securityHeaders,
  ...headers,
  "content-length": String(Buffer.byteLength(body)),
})

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ")

/** Security headers by name. Browsers then store nothing, so that nobody finds a project's contents there. */
export const securityHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": policy,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
}
