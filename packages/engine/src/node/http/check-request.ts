// Rejects requests that HTTP can't carry before anything is sent. Messages name fields but never show their values.

import { messages, type Stray } from "../../messages.ts"
import type { WireRequest } from "../../ports.ts"
import type { Fault } from "./fault.ts"

/** A token, as RFC 9110 section 5.6.2 defines it. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** A field value, as RFC 9110 section 5.5 defines it: visible ASCII, space, tab and the rest of Latin-1. */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/
/** A cookie value, as RFC 6265 section 4.1.1 defines it. */
const cookieValue =
  /^(?:[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*|"[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*")$/

const says = messages["request-failed"]

export const checkRequest = (request: WireRequest): Fault | undefined =>
  checkMethod(request.method) ?? checkHeaders(request) ?? checkCookies(request.cookies)

function checkMethod(method: string): Fault | undefined {
  if (!token.test(method)) return says.method()
  return method.toUpperCase() === "CONNECT" ? says.connect() : undefined
}

function checkHeaders({ headers, body }: WireRequest): Fault | undefined {
  let sized = false
  for (const [name, value] of headers) {
    if (!token.test(name)) return says.headerName(shorten(name))
    if (!fieldValue.test(value)) return says.headerValue(name, strayIn(value))
    // The port sets the length itself: a wrong one would hang the server, or smuggle in the rest as another request.
    if (name.length === 14 && name.toLowerCase() === "content-length") {
      if (sized || value !== String(body?.byteLength ?? 0))
        return says.contentLength(name, body?.byteLength ?? 0)
      sized = true
    } else if (name.length === 17 && name.toLowerCase() === "transfer-encoding") {
      if (sized || value.toLowerCase() !== "chunked") return says.transferEncoding(name)
      sized = true
    } else if (name.length === 7 && name.toLowerCase() === "trailer") return says.trailer(name)
  }
  return undefined
}

function checkCookies(cookies: WireRequest["cookies"]): Fault | undefined {
  for (const [name, given] of Object.entries(cookies)) {
    if (!token.test(name)) return says.cookieName(shorten(name))
    for (const value of typeof given === "string" ? [given] : given)
      if (!cookieValue.test(value)) return says.cookieValue(name, strayIn(value, cookieStrays))
  }
  return undefined
}

type Strays = readonly (readonly [RegExp, Stray])[]

const strays: Strays = [
  [/[\r\n]/, "line break"],
  [/\0/, "NUL character"],
  [/[\x01-\x1f\x7f]/, "control character"],
  [/[^\x00-\xff]/, "character outside Latin-1"],
]

const cookieStrays: Strays = [
  ...strays.slice(0, 3),
  [/;/, "semicolon"],
  [/,/, "comma"],
  [/ /, "space"],
  [/\\/, "backslash"],
  [/"/, "quotation mark"],
  [/[^\x00-\x7f]/, "character outside ASCII"],
]

const strayIn = (value: string, table = strays): Stray =>
  table.find(([pattern]) => pattern.test(value))?.[1] ?? "character"

const shorten = (name: string): string => (name.length > 40 ? `${name.slice(0, 40)}…` : name)
