// Builds the first hop of a request: checked, parsed and serialized. Hops are cached, because loops repeat requests.

import { messages } from "../../messages.ts"
import type { SentRequest, WireRequest } from "../../ports.ts"
import { checkRequest } from "./check-request.ts"
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

/** Returns the first hop of a request, or the reason why it can't be sent. */
export type FirstHopFinder = (request: WireRequest) => FirstHop | Fault

/** The number of cached hops, usually more than one loop repeats. Each new hop replaces the oldest. */
const remembered = 16

/** Creates a hop finder for one port. */
export function createFirstHopFinder(parse: TargetParser): FirstHopFinder {
  const recent: FirstHop[] = []
  let oldest = 0
  return (request) => {
    for (const known of recent) if (known.request === request) return known
    const fault = checkRequest(request)
    if (fault !== undefined) return fault
    const parsed = parse(request.url)
    if (!parsed.ok) return messages["request-failed"].url(parsed.problem)
    // Written out: a spread creates a hidden class per request, which only a major collection frees.
    const { method, headers, cookies, body } = request
    const first = new FirstHop(request, { target: parsed.target, method, headers, cookies, body })
    // Don't cache hops with a body, because it may be large and belongs to the caller.
    if (body === undefined) {
      recent[oldest] = first
      oldest = (oldest + 1) % remembered
    }
    return first
  }
}
