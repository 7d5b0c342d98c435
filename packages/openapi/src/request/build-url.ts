// Builds an absolute URL (RFC 3986) from a base URL, a path template and parameters. Refuses invalid parts instead of
// repairing them.

import { type GivenParameter, writePath, writeQuery } from "./parameter-writer.ts"
import { encodeLiteral } from "./percent.ts"
import { reasons } from "../document/messages.ts"

interface UrlRequest {
  readonly baseUrl: BaseUrl
  readonly path: PathTemplate
  readonly pathParams: ReadonlyMap<string, GivenParameter>
  readonly query: ReadonlyMap<string, GivenParameter>
}

type BuiltUrl =
  | { readonly ok: true; readonly url: string }
  /** Returned if the URL can't be built. The message names parameters but never contains their values. */
  | { readonly ok: false; readonly reason: "path-param-missing" | "refused"; readonly message: string }

export interface BaseUrl {
  /** The path without trailing slashes. */
  readonly path: string
  readonly query: string
}

type ReadBaseUrl =
  | { readonly ok: true; readonly base: BaseUrl }
  /**
   * Returned if the base URL is invalid. `fault` continues a sentence about it: `has a fragment (#), …`. No text repeats
   * the URL, which may contain a password.
   */
  | { readonly ok: false; readonly fault: string; readonly message: string; readonly hint: string }

export function readBaseUrl(baseUrl: string): ReadBaseUrl {
  const hint = `set the variable "baseUrl" to a value like ${example}`
  if (baseUrl === "") return { ok: false, fault: "is empty", message: reasons.noBaseUrl(), hint }
  const fault = faultOf(baseUrl)
  if (fault !== undefined) return { ok: false, fault, message: reasons.baseUrl(fault), hint }
  const [path, query] = split(baseUrl)
  return { ok: true, base: { path: path.replace(/\/+$/, ""), query } }
}

const example = `"https://api.example.com/v1"`

function faultOf(baseUrl: string): string | undefined {
  if (baseUrl.includes("{{") || /^https?:\/\/[^/?#]*[{}$]/i.test(baseUrl))
    return reasons.placeholderInBaseUrl()
  const trimmed = baseUrl.trim()
  // The URL parser would silently drop these characters.
  if (/[\s\u0000-\u0020\u007f]/.test(trimmed)) return reasons.blankInBaseUrl()
  if (trimmed !== baseUrl) return reasons.blankAroundBaseUrl()
  if (!/^https?:\/\/[^/?#\\]/i.test(baseUrl) || !URL.canParse(baseUrl)) return reasons.relativeBaseUrl()
  return baseUrl.includes("#") ? reasons.fragmentInBaseUrl() : undefined
}

/** Builds the URL of a request. Percent-encodes names and values, so that a path value stays within one segment. */
export function buildUrl({ baseUrl, path, pathParams, query }: UrlRequest): BuiltUrl {
  const filled = fillPath(path, pathParams)
  if (typeof filled !== "string") return filled
  const written = writeQueries(query)
  if (typeof written !== "string") return written
  return { ok: true, url: join(baseUrl, filled, written) }
}

const refused = (message: string): BuiltUrl => ({ ok: false, reason: "refused", message })

function fillPath(
  { text, segments, names }: PathTemplate,
  params: ReadonlyMap<string, GivenParameter>,
): string | BuiltUrl {
  const values = new Map<string, string>()
  let missing: string[] | undefined
  for (const name of names) {
    const given = params.get(name)
    const value = given === undefined || given.text === "" ? undefined : writeSegment(name, given)
    if (typeof value === "object") return value
    if (value === undefined) (missing ??= []).push(name)
    else values.set(name, value)
  }
  if (missing !== undefined)
    return { ok: false, reason: "path-param-missing", message: reasons.noPathValue(text, missing) }
  let path: string | undefined
  for (const segment of segments) {
    let filled = segment[0] ?? ""
    for (let at = 1; at < segment.length; at += 2)
      filled += (values.get(segment[at] ?? "") ?? "") + (segment[at + 1] ?? "")
    const dots = segment.length === 1 ? undefined : dotsIn(segment, filled, params)
    if (dots !== undefined) return refused(reasons.dotSegment(dots))
    path = path === undefined ? filled : `${path}/${filled}`
  }
  return path ?? ""
}

/**
 * Returns the parameter that turns a segment into `.` or `..`, which would change the path (RFC 3986 section 5.2.4).
 */
function dotsIn(segment: readonly string[], filled: string, params: ReadonlyMap<string, GivenParameter>) {
  for (let at = 1; at < segment.length; at += 2)
    if (/^\.\.?$/.test(params.get(segment[at] ?? "")?.text ?? "")) return segment[at]
  return /^(?:\.|%2e){1,2}$/i.test(filled) ? segment[1] : undefined
}

function writeSegment(name: string, given: GivenParameter): string | undefined | BuiltUrl {
  try {
    return writePath(name, given)
  } catch (error) {
    return refuseHalf(error, "path", name)
  }
}

function writeQueries(query: ReadonlyMap<string, GivenParameter>): string | BuiltUrl {
  let written = ""
  for (const [name, given] of query) {
    try {
      for (const [own, value] of writeQuery(name, given)) {
        if (written !== "") written += "&"
        written += value === undefined ? own : `${own}=${value}`
      }
    } catch (error) {
      return refuseHalf(error, "query", name)
    }
  }
  return written
}

/** Converts an encoding error to a result. The only cause is an unpaired surrogate. */
function refuseHalf(error: unknown, place: "path" | "query", name: string): BuiltUrl {
  if (!(error instanceof URIError)) throw error
  return refused(reasons.halfCharacter(place, name))
}

/** Joins a base and a path with exactly one slash. Keeps the base's own path and query. */
function join(base: BaseUrl, path: string, query: string): string {
  const [ownPath, ownQuery] = split(path)
  const queries = joinQueries(joinQueries(base.query, ownQuery), query)
  return `${base.path}/${ownPath.replace(/^\/+/, "")}${queries === "" ? "" : `?${queries}`}`
}

const joinQueries = (first: string, more: string): string =>
  first === "" || more === "" ? first + more : `${first}&${more}`

function split(text: string): readonly [path: string, query: string] {
  const cut = text.indexOf("?")
  return cut === -1 ? [text, ""] : [text.slice(0, cut), text.slice(cut + 1)]
}

export interface PathTemplate {
  readonly text: string
  /**
   * The path's segments. Each alternates between a percent-encoded literal (even indexes) and a parameter name (odd
   * indexes).
   */
  readonly segments: readonly (readonly string[])[]
  readonly names: readonly string[]
}

const placeholder = /\{([^{}]+)\}/g

/** Splits a path: `/orders/{id}` has the segments `[""]`, `["orders"]` and `["", "id", ""]`. */
export function parsePathTemplate(text: string): PathTemplate {
  // Some documents distinguish operations by `#`. A fragment is never sent, so it is removed.
  const path = text.replace(/#.*/s, "")
  // `split` puts the names at odd indexes.
  const parts = path.split(placeholder)
  let segment: string[] = []
  const segments = [segment]
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 1) segment.push(part)
    else
      for (const [at, literal] of part.split("/").entries()) {
        if (at > 0) segments.push((segment = []))
        segment.push(encodeLiteral(literal))
      }
  }
  return { text, segments, names: [...new Set(parts.filter((_, index) => index % 2 === 1))] }
}
