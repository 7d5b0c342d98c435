// An HTTP server on loopback that a test programs: routes in, requests out.

import { once } from "node:events"
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

interface ReceivedRequest {
  readonly method: string
  /** Path and query as received. */
  readonly url: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The body as JSON, or undefined if it isn't JSON. */
  readonly json: unknown
}

export interface Answer {
  /** The status. By default, 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** Texts and bytes unchanged, everything else as JSON. */
  readonly body?: unknown
}

/**
 * Responds to a request. For anything that an `Answer` can't express, such as a truncated body or no response, use
 * `response` and return nothing.
 */
export type Route = (
  request: ReceivedRequest,
  response: ServerResponse,
) => Answer | undefined | Promise<Answer | undefined>

export interface ApiServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  /** The received requests, in order. */
  readonly requests: readonly ReceivedRequest[]
  /** Empties the list of received requests. */
  readonly forget: () => void
  /** The highest number of requests in progress at the same time. */
  readonly mostAtOnce: () => number
  readonly close: () => Promise<void>
}

/**
 * Starts a server. Keys are `METHOD /path`, a path for every method, or `*` for everything else. The default is a 404.
 *
 *     const api = await startApi({ "GET /ping": { body: { ok: true } } })
 */
export async function startApi(routes: Readonly<Record<string, Answer | Route>>): Promise<ApiServer> {
  const requests: ReceivedRequest[] = []
  let now = 0
  let most = 0
  const server = createServer((incoming, response) => {
    most = Math.max(most, ++now)
    response.on("close", () => now--)
    void handle(incoming, response)
  })
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const request = await receive(incoming)
      requests.push(request)
      const route = routes[`${request.method} ${request.path}`] ?? routes[request.path] ?? routes["*"]
      const answer = typeof route === "function" ? await route(request, response) : (route ?? notFound)
      if (answer !== undefined) send(answer, response)
    } catch {
      response.destroy()
    }
  }
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    forget: () => void requests.splice(0),
    mostAtOnce: () => most,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, "close")
    },
  }
}

const notFound: Answer = { status: 404, body: { error: "no such route" } }

async function receive(incoming: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  const { method = "", url = "", headers } = incoming
  const { pathname, searchParams } = new URL(url, "http://127.0.0.1")
  return { method, url, path: pathname, query: searchParams, headers, text, json: parse(text) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function send({ status = 200, headers = {}, body }: Answer, response: ServerResponse): void {
  const isRaw = typeof body === "string" || body instanceof Uint8Array
  const bytes = body === undefined ? Buffer.alloc(0) : isRaw ? body : JSON.stringify(body)
  const type = isRaw ? "text/plain; charset=utf-8" : "application/json"
  response.writeHead(status, {
    ...(body === undefined ? {} : { "content-type": type }),
    "content-length": Buffer.byteLength(bytes),
    ...(headers as Record<string, string | string[]>),
  })
  response.end(bytes)
}
