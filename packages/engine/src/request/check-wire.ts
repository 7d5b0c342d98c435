// Checks whether HTTP can carry the texts of a request. Messages name fields but never show values.

import { checkHeader, cookieStrays, isHttpToken, shortenName, strayIn, type Finding } from "@callsheet/format"
import { cookieValue } from "@callsheet/openapi"
import { messages } from "../messages.ts"
import type { WireRequest } from "../ports.ts"

type Fault = Finding<"request-failed">

const says = messages["request-failed"]

/** Returns why HTTP can't carry the method, a header or a cookie. Runs and exports refuse the same requests. */
export const checkWire = (request: Pick<WireRequest, "method" | "headers" | "cookies">): Fault | undefined =>
  checkMethod(request.method) ?? checkHeaders(request.headers) ?? checkCookies(request.cookies)

function checkMethod(method: string): Fault | undefined {
  if (!isHttpToken(method)) return says.method()
  return method.toUpperCase() === "CONNECT" ? says.connect() : undefined
}

function checkHeaders(headers: WireRequest["headers"]): Fault | undefined {
  for (const [name, value] of headers) {
    const finding = checkHeader(name, value)
    if (finding !== undefined) return says.header(finding.message)
  }
  return undefined
}

function checkCookies(cookies: WireRequest["cookies"]): Fault | undefined {
  for (const [name, given] of Object.entries(cookies)) {
    if (!isHttpToken(name)) return says.cookieName(shortenName(name))
    for (const value of typeof given === "string" ? [given] : given)
      if (!cookieValue.test(value)) return says.cookieValue(name, strayIn(value, cookieStrays))
  }
  return undefined
}
