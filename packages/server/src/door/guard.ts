// Decides whether to accept a request, from the raw request and the session. Has no side effects, and runs before any
// other code.

import { routes, type Need, type Route } from "./routes.ts"
import { messages } from "../messages.ts"

/** A request as received. Nothing is decoded, joined or dropped. */
export interface RawRequest {
  readonly method: string
  /** The request target: the text between the method and the version. */
  readonly target: string
  /** Alternating names and values as received (Node's `rawHeaders`). */
  readonly headers: readonly string[]
  /** Returns whether another user of this machine opened the connection. Slow, so it is called last. */
  readonly isFromOtherUser: () => boolean
}

/** The state of the server that the guard needs. Comparisons take constant time. */
export interface GuardState {
  readonly hosts: ReadonlySet<string>
  readonly cookieName: string
  readonly isAsset: (path: string) => boolean
  readonly isCookie: (value: string) => boolean
  readonly isKey: (value: string) => boolean
  readonly isOwner: (value: string) => boolean
}

export interface Refusal {
  readonly status: 401 | 403 | 404 | 405 | 415
  readonly code: "refused" | "unauthorized" | "not-found" | "method-not-allowed" | "content-type"
  readonly message: string
  readonly allow?: string
}

export type Verdict =
  | { readonly kind: "refused"; readonly refusal: Refusal }
  | { readonly kind: "asset"; readonly path: string }
  | Route

const KEY_HEADER = "x-callsheet-key"
export const OWNER_HEADER = "x-callsheet-owner"
/** The page, whose address users type. Browsers may request no other path without an origin. */
const LANDING_PATH = "/"

/** Checks `Host` first and the session last, so that a refused client learns little about the server. */
export function guard(request: RawRequest, state: GuardState): Verdict {
  const [host, ...more] = valuesOf(request.headers, "host")
  if (host === undefined || more.length > 0 || !state.hosts.has(host)) return refuse(foreignHost)
  const refusal = refuseUpgrade(request) ?? refuseMethod(request) ?? refuseOrigin(request, host)
  if (refusal !== undefined) return refuse(refusal)
  return request.method === "GET" ? judgeGet(request, state) : judgePost(request, state)
}

function judgeGet({ target }: RawRequest, state: GuardState): Verdict {
  if (state.isAsset(target)) return { kind: "asset", path: target }
  return refuse(routes.has(target) ? notAllowed("POST") : notFound)
}

function judgePost(request: RawRequest, state: GuardState): Verdict {
  const { target, headers } = request
  const route = routes.get(target)
  if (route === undefined) return refuse(state.isAsset(target) ? notAllowed("GET") : notFound)
  const [type, ...more] = valuesOf(headers, "content-type")
  if (type !== "application/json" || more.length > 0) return refuse(wrongContentType)
  return needs[route.needs](request, state) ? route : refuse(noSession)
}

const needs: { readonly [N in Need]: (request: RawRequest, state: GuardState) => boolean } = {
  link: () => true,
  session: hasSession,
  "own-session": (request, state) => hasSession(request, state) && !request.isFromOtherUser(),
  owner: ({ headers }, state) => hasOne(headers, OWNER_HEADER, state.isOwner),
}

function hasSession({ headers }: RawRequest, state: GuardState): boolean {
  return hasCookie(headers, state) && hasOne(headers, KEY_HEADER, state.isKey)
}

/** Refuses upgrades to WebSocket and HTTP/2: the guard can't see what follows on such a connection. */
function refuseUpgrade({ headers }: RawRequest): Refusal | undefined {
  return valuesOf(headers, "upgrade").length > 0 ? noUpgrade : undefined
}

/** Refuses all methods except GET and POST. A preflight uses OPTIONS, so it gets no CORS headers. */
function refuseMethod({ method }: RawRequest): Refusal | undefined {
  return method === "GET" || method === "POST" ? undefined : notAllowed("GET, POST")
}

function refuseOrigin({ method, target, headers }: RawRequest, host: string): Refusal | undefined {
  // Other forms of the request target contain a host, which may differ from `Host`.
  if (!target.startsWith("/")) return foreignHost
  if (valuesOf(headers, "origin").some((origin) => origin !== `http://${host}`)) return foreignOrigin
  const isLanding = method === "GET" && target === LANDING_PATH
  const isOwn = (site: string) => site === "same-origin" || (isLanding && site === "none")
  return valuesOf(headers, "sec-fetch-site").every(isOwn) ? undefined : foreignOrigin
}

/** Checks every cookie with the name, because other servers on this machine can set it too. */
function hasCookie(headers: readonly string[], { cookieName, isCookie }: GuardState): boolean {
  return valuesOf(headers, "cookie")
    .flatMap((header) => header.split(";"))
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${cookieName}=`))
    .some((pair) => isCookie(pair.slice(cookieName.length + 1)))
}

function hasOne(headers: readonly string[], name: string, isRight: (value: string) => boolean): boolean {
  const [value, ...more] = valuesOf(headers, name)
  return value !== undefined && more.length === 0 && isRight(value)
}

function valuesOf(headers: readonly string[], name: string): readonly string[] {
  return headers.filter((_, at) => at % 2 === 1 && headers[at - 1]?.toLowerCase() === name)
}

const refuse = (refusal: Refusal): Verdict => ({ kind: "refused", refusal })

const foreignHost: Refusal = { status: 403, ...messages.refused.otherAddress() }
const foreignOrigin: Refusal = { status: 403, ...messages.refused.otherOrigin() }
const noUpgrade: Refusal = { status: 403, ...messages.refused.upgrade() }
const notFound: Refusal = { status: 404, ...messages["not-found"].nothing() }
const noSession: Refusal = { status: 401, ...messages.unauthorized.noSession() }
const wrongContentType: Refusal = { status: 415, ...messages["content-type"].wrong() }
const notAllowed = (allow: string): Refusal => ({
  status: 405,
  ...messages["method-not-allowed"].allowed(allow),
  allow,
})
