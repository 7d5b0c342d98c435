// One request in a redirect chain, and the rules by which a redirect turns it into the next one.

import { createMasker, MASK } from "../../outlet/mask.ts"
import { messages } from "../../messages.ts"
import type { WireRequest } from "../../ports.ts"
import type { Fault } from "./fault.ts"
import { fullUrl, type Target, type TargetParser } from "./origin.ts"

export interface Hop {
  readonly target: Target
  readonly method: string
  readonly headers: WireRequest["headers"]
  readonly cookies: WireRequest["cookies"]
  readonly body: Uint8Array | undefined
}

type RedirectedRequest = Pick<WireRequest, "url" | "sensitive" | "secretBase" | "isTraced">

type Redirected =
  | { readonly ok: true; readonly hop: Hop; readonly dropped: readonly string[] }
  /** `to` is the target of the redirect, if known. */
  | { readonly ok: false; readonly fault: Fault; readonly to?: Target }

const redirectStatuses = new Set([301, 302, 303, 307, 308])

/** Returns whether a status redirects if the response has a `location` header (RFC 9110 section 15.4). */
export const isRedirect = (status: number): boolean => redirectStatuses.has(status)

/** Headers that describe a body. Without the body, they are dropped too. */
const bodyHeaders = new Set([
  "content-type",
  "content-length",
  "content-encoding",
  "content-language",
  "content-location",
  "transfer-encoding",
  "digest",
  "content-digest",
  "expect",
])

/** Headers that callsheet adds to a traced request. */
const traceHeaders = new Set(["traceparent", "tracestate"])

const originHeaders = new Set(["authorization", "cookie", "proxy-authorization"])

/**
 * Builds the request after a redirect. For another origin, drops credentials, cookies and everything built from a
 * secret. `dropped` lists these except for cookies: `header authorization`, `query api_key`.
 */
export function redirectHop(
  hop: Hop,
  redirect: { readonly status: number; readonly location: string },
  { request, parse }: { readonly request: RedirectedRequest; readonly parse: TargetParser },
): Redirected {
  const parsed = resolveLocation(hop.target, redirect.location, parse)
  if (!parsed.ok) return { ok: false, fault: messages["request-failed"].redirectUrl(parsed.problem) }
  const next: Hop = keepsBody(hop.method, redirect.status)
    ? { ...hop, target: parsed.target }
    : {
        ...hop,
        target: parsed.target,
        method: hop.method.toUpperCase() === "HEAD" ? hop.method : "GET",
        headers: hop.headers.filter(([name]) => !bodyHeaders.has(name.toLowerCase())),
        body: undefined,
      }
  if (parsed.target.origin.key === hop.target.origin.key) return { ok: true, hop: next, dropped: [] }
  return leaveOrigin(hop, next, request)
}

function keepsBody(method: string, status: number): boolean {
  if (status === 303) return false
  return !(method.toUpperCase() === "POST" && (status === 301 || status === 302))
}

/**
 * Returns whether a redirect has probably dropped a body by mistake. A 303 drops it on purpose, and so does a 302 that
 * leads elsewhere: web applications send it after they have processed a form.
 */
export function losesBody(from: Hop, to: Hop, status: number): boolean {
  if (from.body === undefined || from.body.length === 0 || to.body !== undefined) return false
  return status === 301 || (status === 302 && placeOf(from) === placeOf(to))
}

const placeOf = ({ target }: Hop): string =>
  target.path.replace(/\?.*/s, "").replace(/\/+$/, "").toLowerCase()

function leaveOrigin(from: Hop, next: Hop, request: RedirectedRequest): Redirected {
  const { sensitive, isTraced = false } = request
  const dropped: string[] = []
  const headers = next.headers.filter(([name]) => {
    const lower = name.toLowerCase()
    // The new origin has its own `host`, and the old one isn't a secret, so this isn't reported. A trace isn't either.
    if (lower === "host" || (isTraced && traceHeaders.has(lower))) return false
    if (!originHeaders.has(lower) && !sensitive.headers.has(lower)) return true
    if (lower !== "cookie") dropped.push(`header ${lower}`)
    return false
  })
  if (from.target.credentials !== undefined && !dropped.includes("header authorization"))
    dropped.push("header authorization")
  const target = withoutSecretQuery(next.target, request, dropped)
  if (next.body !== undefined && sensitive.body)
    return {
      ok: false,
      to: target,
      fault: messages["request-failed"].secretBody(),
    }
  return { ok: true, hop: { ...next, target, headers, cookies: {} }, dropped }
}

/** Removes secrets from a redirect's query: a server may repeat the original query in its `location`. */
function withoutSecretQuery(to: Target, request: RedirectedRequest, dropped: string[]): Target {
  const at = to.path.indexOf("?")
  if (request.sensitive.query.size === 0 || at === -1) return to
  const { query, names } = leaveSecretsOut(to.path.slice(at + 1), request)
  if (names.length === 0) return to
  for (const name of names)
    dropped.push(`query ${request.secretBase?.names.has(name) === true ? MASK : name}`)
  return { ...to, path: to.path.slice(0, at) + (query === "" ? "" : `?${query}`) }
}

/**
 * Removes the pairs of `query` that contain a secret of the original query, in any encoding. For example, a return URL
 * repeats it encoded.
 */
function leaveSecretsOut(query: string, { url, sensitive }: RedirectedRequest) {
  const { occursIn } = createMasker(secretsOf(queryOf(url), sensitive.query))
  const names: string[] = []
  const kept = query.split("&").filter((pair) => {
    const [name = "", value = ""] = [...new URLSearchParams(pair)][0] ?? []
    if (!occursIn(pair) && !occursIn(value) && !occursIn(name)) return true
    names.push(name)
    return false
  })
  return { query: kept.join("&"), names }
}

/** Yields the secrets in the original query. A redirect may give them other names. */
function* secretsOf(query: string, names: ReadonlySet<string>): Generator<string> {
  for (const pair of query.split("&")) {
    const [name, value] = [...new URLSearchParams(pair)][0] ?? []
    if (name === undefined || value === undefined || !names.has(name)) continue
    // If a pair has no `=`, `URLSearchParams` reads all of it as the name.
    yield pair.includes("=") ? value : name
  }
}

/** Returns the query of a path or a URL, without its question mark. */
const queryOf = (path: string): string => {
  const at = path.indexOf("?")
  return at === -1 ? "" : path.slice(at + 1).replace(/#.*$/s, "")
}

type RedirectTarget = ReturnType<TargetParser> | { readonly ok: false; readonly problem: "not a URL" }

/** Resolves a `location` (RFC 9110 section 10.2.2). Servers send UTF-8, which Node reads as Latin-1. */
function resolveLocation(from: Target, location: string, parse: TargetParser): RedirectTarget {
  const text = /[\x80-\xff]/.test(location) ? Buffer.from(location, "latin1").toString("utf8") : location
  const base = fullUrl(from)
  if (!URL.canParse(text, base)) return { ok: false, problem: "not a URL" }
  const url = new URL(text, base)
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return { ok: false, problem: { scheme: url.protocol.slice(0, -1) } }
  const parsed = parse(url.href)
  if (!parsed.ok || parsed.target.credentials !== undefined) return parsed
  // Credentials in the URL stay with their origin, like an `authorization` header.
  const stays = parsed.target.origin.key === from.origin.key
  return stays ? { ok: true, target: { ...parsed.target, credentials: from.credentials } } : parsed
}
