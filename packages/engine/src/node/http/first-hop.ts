// Builds the first hop of a request: checks, parses and serializes it. Caches hops, because loops repeat requests.

import { messages } from "../../messages.ts"
import type { SentRequest, WireRequest } from "../../ports.ts"
import { checkWire } from "../../request/check-wire.ts"
import type { Fault } from "./fault.ts"
import { readHeaderLines } from "./header-lines.ts"
import type { Hop } from "./hop.ts"
import { fullUrl, type TargetParser } from "./origin.ts"
import { requestLines, type Additions } from "./request-lines.ts"

interface Written {
  /** Alternating header names and values. */
  readonly lines: string[]
  readonly sent: SentRequest
}

export class FirstHop {
  readonly request: WireRequest
  readonly hop: Hop
  #withoutCookies: Written | undefined

  constructor(request: WireRequest, hop: Hop) {
    this.request = request
    this.hop = hop
  }

  write(additions: Additions): Written {
    if (additions.cookie === undefined) return (this.#withoutCookies ??= this.#write(additions))
    return this.#write(additions)
  }

  #write(additions: Additions): Written {
    const { method, target } = this.hop
    const { secretBase } = this.request
    const lines = requestLines(this.hop, additions)
    const url = fullUrl(target)
    const headers = readHeaderLines(lines)
    if (secretBase === undefined) return { lines, sent: { method, url, headers } }
    return { lines, sent: { method, url: secretBase.url(url), headers: secretBase.headers(headers, url) } }
  }
}

/** Returns the first hop of a request, or the reason why HTTP can't carry it. */
export type FirstHopFinder = (request: WireRequest) => FirstHop | Fault

/** The number of cached hops, more than a loop usually repeats. A new hop replaces the oldest one. */
const remembered = 16

export function createFirstHopFinder(parse: TargetParser): FirstHopFinder {
  const recent: FirstHop[] = []
  let oldest = 0
  return (request) => {
    for (const known of recent) if (known.request === request) return known
    const fault = checkRequest(request)
    if (fault !== undefined) return fault
    const parsed = parse(request.url)
    if (!parsed.ok) return messages["request-failed"].url(parsed.problem)
    // Avoids a spread, which creates a hidden class per request. Only a major collection frees it.
    const { method, headers, cookies, body } = request
    const first = new FirstHop(request, { target: parsed.target, method, headers, cookies, body })
    // A body may be large and belongs to the caller, so don't cache it.
    if (body === undefined) {
      recent[oldest] = first
      oldest = (oldest + 1) % remembered
    }
    return first
  }
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
