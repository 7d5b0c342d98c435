// What HTTP cannot carry is refused before anything is sent, by the field's name and never by its value.

import type { WireRequest } from "../../ports.ts"
import type { Fault } from "./fault.ts"

/** RFC 9110 section 5.6.2. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** RFC 9110 section 5.5: visible ASCII, blank, tab and what is left of Latin-1. */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/
/** RFC 6265 section 4.1.1. */
const cookieValue =
  /^(?:[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*|"[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*")$/

export function checkRequest(request: WireRequest): Fault | undefined {
  const problem = checkMethod(request.method) ?? checkHeaders(request) ?? checkCookies(request.cookies)
  return problem === undefined ? undefined : { message: `the request was not sent: ${problem}` }
}

function checkMethod(method: string): string | undefined {
  if (!token.test(method)) return "its method is not an HTTP token"
  return method.toUpperCase() === "CONNECT" ? "the method CONNECT is for proxies alone" : undefined
}

function checkHeaders({ headers, body }: WireRequest): string | undefined {
  let sized = false
  for (const [name, value] of headers) {
    if (!token.test(name)) return `the header name ${quoteName(name)} is not an HTTP token`
    if (!fieldValue.test(value)) return `the header ${name} holds ${offence(value)}, which HTTP cannot carry`
    // Framing is ours: a length that lies would hang the server, or pass the rest for another request.
    if (name.length === 14 && name.toLowerCase() === "content-length") {
      if (sized || value !== String(body?.byteLength ?? 0))
        return `the header ${name} is not the length of the body, ${body?.byteLength ?? 0} bytes`
      sized = true
    } else if (name.length === 17 && name.toLowerCase() === "transfer-encoding") {
      if (sized || value.toLowerCase() !== "chunked") return `the header ${name} can only be "chunked"`
      sized = true
    } else if (name.length === 7 && name.toLowerCase() === "trailer")
      return `the header ${name} announces trailers, which callsheet does not send`
  }
  return undefined
}

function checkCookies(cookies: WireRequest["cookies"]): string | undefined {
  for (const [name, given] of Object.entries(cookies)) {
    if (!token.test(name)) return `the cookie name ${quoteName(name)} is not an HTTP token`
    for (const value of typeof given === "string" ? [given] : given)
      if (!cookieValue.test(value))
        return `the cookie ${name} holds ${offence(value, cookieOffences)}, which a cookie cannot carry`
  }
  return undefined
}

const offences: readonly (readonly [RegExp, string])[] = [
  [/[\r\n]/, "a line break"],
  [/\0/, "a NUL"],
  [/[\x01-\x1f\x7f]/, "a control character"],
  [/[^\x00-\xff]/, "a character outside of Latin-1"],
]

const cookieOffences: readonly (readonly [RegExp, string])[] = [
  ...offences.slice(0, 3),
  [/;/, "a semicolon"],
  [/,/, "a comma"],
  [/ /, "a blank"],
  [/\\/, "a backslash"],
  [/"/, "a quotation mark inside"],
  [/[^\x00-\x7f]/, "a character outside of ASCII"],
]

const offence = (value: string, table = offences): string =>
  table.find(([pattern]) => pattern.test(value))?.[1] ?? "a character"

const quoteName = (name: string): string => JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name)
