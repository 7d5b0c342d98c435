// The one door of the server: a raw request and what the session knows -> let in, or refused. Pure; nothing looks at a request before.

import { routes, type Need, type Route } from "./routes.ts"

/** A request as it came, before anything has decoded, joined or dropped a part of it. */
export interface RawRequest {
  readonly method: string
  /** The request target: what stands between the method and the version. */
  readonly target: string
  /** Names and values in turn, as they came: `rawHeaders` of Node. */
  readonly headers: readonly string[]
  /** Whether another user of this machine has opened the connection. Asked only if everything else is right. */
  readonly isFromOtherUser: () => boolean
}

/** What the guard must know of the server. The comparisons take the same time wherever two texts differ. */
export interface GuardState {
  /** The values of `Host` that are this server's. */
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
  /** The methods that a 405 tells of. */
  readonly allow?: string
}

export type Verdict =
  | { readonly kind: "refused"; readonly refusal: Refusal }
  | { readonly kind: "asset"; readonly path: string }
  | Route

/** The header that holds the session's key. */
const KEY_HEADER = "x-callsheet-key"
/** The header that holds the secret of the port file. */
export const OWNER_HEADER = "x-callsheet-owner"
/** The page itself: the one path that a browser may ask for on behalf of nobody, because somebody typed it. */
const LANDING_PATH = "/"

/**
 * Judges a request: `Host` first, then method, target, `Origin`, `Sec-Fetch-Site`, content type, and at last the session, so
 * that who may not ask learns nothing, and who has no session learns nothing of it.
 */
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

/** No WebSocket, no HTTP/2 by upgrade: whatever would speak on this connection afterwards would have no guard. */
function refuseUpgrade({ headers }: RawRequest): Refusal | undefined {
  return valuesOf(headers, "upgrade").length > 0 ? noUpgrade : undefined
}

/** OPTIONS is none of them: a preflight is answered with no word about other origins. */
function refuseMethod({ method }: RawRequest): Refusal | undefined {
  return method === "GET" || method === "POST" ? undefined : notAllowed("GET, POST")
}

function refuseOrigin({ method, target, headers }: RawRequest, host: string): Refusal | undefined {
  // Another form of target names a host of its own, which may be another than `Host` does.
  if (!target.startsWith("/")) return foreignHost
  if (valuesOf(headers, "origin").some((origin) => origin !== `http://${host}`)) return foreignOrigin
  const isLanding = method === "GET" && target === LANDING_PATH
  const isOwn = (site: string) => site === "same-origin" || (isLanding && site === "none")
  return valuesOf(headers, "sec-fetch-site").every(isOwn) ? undefined : foreignOrigin
}

/** Another server on this machine can add cookies of the same name: any of them may be the right one. */
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

/** All values of a header, each as it came. */
function valuesOf(headers: readonly string[], name: string): readonly string[] {
  return headers.filter((_, at) => at % 2 === 1 && headers[at - 1]?.toLowerCase() === name)
}

const refuse = (refusal: Refusal): Verdict => ({ kind: "refused", refusal })

const foreignHost: Refusal = {
  status: 403,
  code: "refused",
  message: "this server answers only at its own address",
}
const foreignOrigin: Refusal = {
  status: 403,
  code: "refused",
  message: "this server answers only its own page; open it by its address",
}
const noUpgrade: Refusal = { status: 403, code: "refused", message: "connections are not upgraded" }
const notFound: Refusal = { status: 404, code: "not-found", message: "there is nothing here" }
const noSession: Refusal = {
  status: 401,
  code: "unauthorized",
  message: "there is no session; callsheet app --print-link makes a link to begin one",
}
const wrongContentType: Refusal = {
  status: 415,
  code: "content-type",
  message: "the content type must be application/json",
}
const notAllowed = (allow: string): Refusal => ({
  status: 405,
  code: "method-not-allowed",
  message: `this path takes ${allow}`,
  allow,
})
