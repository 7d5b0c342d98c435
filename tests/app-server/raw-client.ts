// Requests over a bare socket, byte for byte, as no well-behaved client would send.

import { connect, type Socket } from "node:net"

export interface RawAnswer {
  /** 0 if the connection was closed without a response. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** All received bytes, including further responses on the same connection. */
  readonly text: string
}

/** Sends bytes and reads until the server closes the connection, or until a response with a length is complete. */
export async function sendRaw(
  port: number,
  bytes: string | readonly (string | Buffer)[],
): Promise<RawAnswer> {
  const socket = connect({ port, host: "127.0.0.1" })
  for (const part of typeof bytes === "string" ? [bytes] : bytes) socket.write(part)
  const text = await readAnswer(socket)
  socket.destroy()
  const answer = parseAnswer(text)
  return { ...answer, body: Buffer.from(answer.body, "latin1").toString() }
}

/**
 * Sends requests over one connection without waiting in between. Returns the answers in order. Each answer needs a
 * length.
 */
export async function sendAll(port: number, requests: readonly string[]): Promise<readonly RawAnswer[]> {
  const socket = connect({ port, host: "127.0.0.1" })
  socket.write(requests.join(""))
  const answers: RawAnswer[] = []
  let pending = ""
  for await (const chunk of socket) {
    pending += (chunk as Buffer).toString("latin1")
    for (let end = endOfAnswer(pending); end !== undefined; end = endOfAnswer(pending)) {
      answers.push(parseAnswer(pending.slice(0, end)))
      pending = pending.slice(end)
    }
    if (answers.length === requests.length) break
  }
  return answers
}

/** Returns where the first answer of a text ends, or undefined if it isn't whole. */
function endOfAnswer(text: string): number | undefined {
  const headEnd = text.indexOf("\r\n\r\n") + 4
  if (headEnd < 4) return undefined
  const end = headEnd + Number(parseAnswer(text.slice(0, headEnd)).headers["content-length"])
  return end <= text.length ? end : undefined
}

export interface RawRequest {
  readonly method?: string
  readonly target?: string
  /** Header lines to send unchanged and in this order. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: string
}

/** An HTTP/1.1 request with a length and the given headers. */
export function requestText({ method = "GET", target = "/", headers = [], body }: RawRequest): string {
  const length = body === undefined ? [] : [["content-length", String(Buffer.byteLength(body))] as const]
  const lines = [...headers, ...length].map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${target} HTTP/1.1`, ...lines, "", body ?? ""].join("\r\n")
}

/** Time limit for a response. A connection that the server should have closed by then fails the test. */
const PATIENCE_MS = 10_000

function readAnswer(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ""
    const done = () => {
      clearTimeout(timer)
      resolve(text)
    }
    const timer = setTimeout(
      () => reject(new Error(`the connection is still open after\n${text}`)),
      PATIENCE_MS,
    )
    socket
      .on("data", (chunk: Buffer) => {
        text += chunk.toString("latin1")
        if (isWhole(text)) done()
      })
      .on("error", done)
      .on("close", done)
  })
}

function isWhole(text: string): boolean {
  const { body, headers } = parseAnswer(text)
  const length = headers["content-length"]
  return headers["connection"] !== "close" && length !== undefined && body.length >= Number(length)
}

function parseAnswer(text: string): RawAnswer {
  const [head = "", ...rest] = text.split("\r\n\r\n")
  const [first = "", ...lines] = head.split("\r\n")
  const headers = lines.map((line): [string, string] => {
    const at = line.indexOf(":")
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
  })
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(first)?.[1] ?? 0),
    headers: Object.fromEntries(headers),
    body: rest.join("\r\n\r\n"),
    text,
  }
}
