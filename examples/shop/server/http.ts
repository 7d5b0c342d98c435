// Serves a table of routes over node:http. Handlers use what fetch defines: they take a Request and return a Response.

import { STATUS_CODES, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http"

export interface Call {
  readonly request: Request
  readonly query: URLSearchParams
  /** A parameter of the route's path: `param("orderId")` for `/orders/{orderId}`. */
  readonly param: (name: string) => string
}

/** Handlers by operation, written as in the OpenAPI document: `GET /orders/{orderId}`. The first match wins. */
export type Routes = Readonly<Record<string, (call: Call) => Response | Promise<Response>>>

type HeaderMap = Readonly<Record<string, string>>

const MAX_BODY_BYTES = 1024 * 1024

/** Ends a request with an error response (`application/problem+json`, RFC 9457). */
export class Problem extends Error {
  readonly response: Response

  constructor(status: number, detail: string, { headers = {}, errors }: ProblemDetails = {}) {
    super(detail)
    const body = { type: "about:blank", title: STATUS_CODES[status], status, detail, errors }
    this.response = json(status, body, { "content-type": "application/problem+json", ...headers })
  }
}

interface ProblemDetails {
  readonly headers?: HeaderMap
  readonly errors?: readonly { readonly field: string; readonly message: string }[]
}

export const wrongField = (field: string, message: string): Problem =>
  new Problem(422, `${field} ${message}`, { errors: [{ field, message }] })

export const json = (status: number, value: unknown, headers: HeaderMap = {}): Response =>
  Response.json(value, { status, headers })

export const text = (body: string, headers: HeaderMap = {}): Response =>
  new Response(body, { headers: { "content-type": "text/plain; charset=utf-8", ...headers } })

export const empty = (status: number, headers: HeaderMap = {}): Response =>
  new Response(null, { status, headers })

/** The listener that serves `routes`. Unknown paths answer 404, unknown methods 405 with `Allow`. */
export function createListener(routes: Routes): RequestListener {
  const compiled = Object.entries(routes).map(([operation, handle]) => {
    const [method = "", path = ""] = operation.split(" ")
    const pattern = new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`)
    return { method, pattern, handle }
  })

  async function respond(incoming: IncomingMessage): Promise<Response> {
    const { method = "GET", url: target = "/" } = incoming
    const url = new URL(target, "encrypted" in incoming.socket ? "https://localhost" : "http://localhost")
    const matches = compiled.filter(({ pattern }) => pattern.test(url.pathname))
    if (matches.length === 0) throw new Problem(404, "nothing exists at this path")
    const route = matches.find((match) => match.method === method)
    if (route === undefined) {
      const allow = matches.map((match) => match.method).join(", ")
      throw new Problem(405, `this path allows ${allow}`, { headers: { allow } })
    }
    const body = method === "GET" ? null : await readBytes(incoming)
    const headers = new Headers()
    for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value))
    const params = route.pattern.exec(url.pathname)?.groups ?? {}
    return route.handle({
      request: new Request(url, { method, headers, body }),
      query: url.searchParams,
      param: (name) => decodeURIComponent(params[name] ?? ""),
    })
  }

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const response = await respond(incoming).catch((error: unknown) => {
      const problem = error instanceof Problem ? error : new Problem(500, "the sample API has a bug")
      return problem.response
    })
    outgoing.setHeaders(response.headers).writeHead(response.status)
    outgoing.end(Buffer.from(await response.arrayBuffer()))
  }

  return (incoming, outgoing) => void serve(incoming, outgoing)
}

async function readBytes(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    // The rest is read and dropped, so that the client can finish sending before it sees the response.
    if (size <= MAX_BODY_BYTES) chunks.push(chunk)
  }
  if (size > MAX_BODY_BYTES) throw new Problem(413, `a body may have at most ${MAX_BODY_BYTES} bytes`)
  return new Uint8Array(Buffer.concat(chunks))
}

/** A cookie's value. Clients send the cookie with the longest path first (RFC 6265 section 5.4), so the first one counts. */
export const cookie = ({ request }: Call, name: string): string | undefined =>
  new RegExp(`(?:^|;)\\s*${name}=([^;]*)`).exec(request.headers.get("cookie") ?? "")?.[1]

/** Reads a body by its media type: JSON, the fields of a form, text, or a blob. Answers 415 or 400 if it is none of `accepted`. */
export async function readBody({ request }: Call, accepted: readonly string[]): Promise<unknown> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? ""
  if (!accepted.includes(type)) throw new Problem(415, `send ${accepted.join(" or ")}`)
  try {
    if (type.endsWith("json")) return await request.json()
    if (type.includes("form")) return Object.fromEntries(await request.formData())
    if (type === "text/plain") return await request.text()
    return new Blob([await request.arrayBuffer()], { type })
  } catch {
    throw new Problem(400, `the body is not ${type}`)
  }
}
