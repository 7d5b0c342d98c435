// Builds the first hop of a request: checks, parses and serializes it.

import { messages } from "../../messages.ts"
import type { SentRequest, WireRequest } from "../../ports.ts"
import { checkWire } from "../../request/check-wire.ts"
import type { Fault } from "./fault.ts"
import { readHeaderLines } from "./header-lines.ts"
import type { Hop } from "./hop.ts"
import { fullUrl, type TargetParser } from "./origin.ts"

type FirstHop = { readonly ok: true; readonly hop: Hop } | { readonly ok: false; readonly fault: Fault }

/** Returns the first hop of a request, or the reason why HTTP can't carry it. */
export function findFirstHop(request: WireRequest, parse: TargetParser): FirstHop {
  const fault = checkRequest(request)
  if (fault !== undefined) return { ok: false, fault }
  const parsed = parse(request.url)
  if (!parsed.ok) return { ok: false, fault: messages["request-failed"].url(parsed.problem) }
  const { method, headers, cookies, body } = request
  return { ok: true, hop: { target: parsed.target, method, headers, cookies, body } }
}

/** Returns the first hop as it is shown. `lines` are alternating header names and values. */
export function sentRequest({ secretBase }: WireRequest, hop: Hop, lines: readonly string[]): SentRequest {
  const { method, target } = hop
  const url = fullUrl(target)
  const headers = readHeaderLines(lines)
  if (secretBase === undefined) return { method, url, headers }
  return { method, url: secretBase.url(url), headers: secretBase.headers(headers, url) }
}

const says = messages["request-failed"]

/** Rejects requests that HTTP can't carry. Messages name fields but never show values. */
const checkRequest = (request: WireRequest): Fault | undefined => checkWire(request) ?? checkFraming(request)

/**
 * Checks the headers that the port sets itself. With a wrong length, the server would wait forever, or read the rest as
 * another request.
 */
function checkFraming({ headers, body }: WireRequest): Fault | undefined {
  let sized = false
  for (const [name, value] of headers) {
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
