// A table of routes -> a listener for `node:http`: matching, reading the body, cookies, error answers.

import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { HttpProblem, type Answer } from "./answer.ts"

/** One request as a route sees it. */
export interface Call {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly cookies: ReadonlyMap<string, string>
  readonly body: Buffer
  /** True where the request came over TLS. */
  readonly encrypted: boolean
}

export interface Route {
  readonly method: string
  /** As in the OpenAPI document: `/orders/{orderId}`. */
  readonly path: string
  readonly handle: (call: Call) => Answer
}

/** Largest request body that the sample takes, in bytes. */
const MAX_BODY_BYTES = 1024 * 1024

interface CompiledRoute extends Route {
  readonly segments: readonly string[]
}

/** The listener that serves `routes`; unknown paths answer 404, unknown methods 405 with `Allow`. */
export function createListener(routes: readonly Route[]): RequestListener {
  const compiled = routes
    .map((route): CompiledRoute => ({ ...route, segments: route.path.split("/").slice(1) }))
    // A literal segment wins over a parameter: `/receipts/{id}/latest` before `/receipts/{id}/{revision}`.
    .sort((a, b) => countParameters(a) - countParameters(b))
  return (request, response) => {
    void answerRequest(compiled, request).then((answer) => write(request, response, answer))
  }
}

const isParameter = (segment: string): boolean => segment.startsWith("{")
const countParameters = (route: CompiledRoute): number => route.segments.filter(isParameter).length

async function answerRequest(routes: readonly CompiledRoute[], request: IncomingMessage): Promise<Answer> {
  try {
    const url = new URL(request.url ?? "/", "http://localhost")
    const { route, params } = match(routes, request.method ?? "GET", url.pathname)
    const body = await readBody(request)
    return route.handle({
      params,
      query: url.searchParams,
      headers: request.headers,
      cookies: readCookies(request.headers.cookie),
      body,
      encrypted: "encrypted" in request.socket,
    })
  } catch (error) {
    const problem = error instanceof HttpProblem ? error : new HttpProblem(500, "the sample API has a bug")
    return problem.answer
  }
}

interface Match {
  readonly route: CompiledRoute
  readonly params: Readonly<Record<string, string>>
}

function match(routes: readonly CompiledRoute[], method: string, pathname: string): Match {
  const segments = decodeSegments(pathname)
  const matches = routes.flatMap((route) => {
    const params = matchSegments(route.segments, segments)
    return params === undefined ? [] : [{ route, params }]
  })
  const found = matches.find(({ route }) => route.method === method)
  if (found !== undefined) return found
  if (matches.length === 0) throw new HttpProblem(404, "there is nothing at this path")
  const allow = [...new Set(matches.map(({ route }) => route.method))].join(", ")
  throw new HttpProblem(405, `this path allows ${allow}`, { headers: { allow } })
}

function decodeSegments(pathname: string): readonly string[] {
  try {
    return pathname.split("/").slice(1).map(decodeURIComponent)
  } catch {
    throw new HttpProblem(400, "the path is not percent-encoded UTF-8")
  }
}

function matchSegments(
  template: readonly string[],
  segments: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (template.length !== segments.length) return undefined
  const params: [string, string][] = []
  for (const [index, expected] of template.entries()) {
    const actual = segments[index]!
    if (isParameter(expected)) {
      if (actual === "") return undefined
      params.push([expected.slice(1, -1), actual])
    } else if (expected !== actual) return undefined
  }
  return Object.fromEntries(params)
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    // The rest is read and dropped, so that the client is not cut off before it sees the answer.
    if (size <= MAX_BODY_BYTES) chunks.push(chunk)
  }
  if (size > MAX_BODY_BYTES) throw new HttpProblem(413, `a body may be at most ${MAX_BODY_BYTES} bytes`)
  return Buffer.concat(chunks)
}

function readCookies(header: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of header?.split(";") ?? []) {
    const equals = pair.indexOf("=")
    if (equals === -1) continue
    const name = pair.slice(0, equals).trim()
    // RFC 6265 section 5.4 sends the cookie of the longer path first: the first of a name is the one meant.
    if (!cookies.has(name)) cookies.set(name, pair.slice(equals + 1).trim())
  }
  return cookies
}

function write(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  for (const [name, value] of Object.entries(answer.headers)) {
    response.setHeader(name, typeof value === "string" ? value : [...value])
  }
  if (answer.body !== undefined) response.setHeader("content-length", Buffer.byteLength(answer.body))
  response.statusCode = answer.status
  response.end(request.method === "HEAD" ? undefined : answer.body)
}
