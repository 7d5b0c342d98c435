// Writes answers with their common headers.

import { STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { endWithoutBody } from "@callsheet/engine"
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
  endWithoutBody({ request, response }, answer.body)
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
