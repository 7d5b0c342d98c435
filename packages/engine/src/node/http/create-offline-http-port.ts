// An HTTP port with given responses: builds each request as the real port does, and never opens a connection.

import type { Headers } from "@callsheet/format"
import type { HttpPort, ReceivedItem, SendOptions, SendOutcome, WireRequest } from "../../ports.ts"
import { createCookies } from "./cookies.ts"
import { findFirstHop, sentRequest } from "./first-hop.ts"
import { createTargetParser } from "./origin.ts"
import { readProxies } from "./proxy.ts"
import { requestLines } from "./request-lines.ts"

interface OfflineHttpOptions {
  readonly userAgent: string
  /** Returns the outcome of a block's request. Called once the request was reported as sent. */
  readonly answer: (block: number | undefined) => SendOutcome
  /** Returns the items of a stream before its outcome. */
  readonly itemsOf: (block: number | undefined) => readonly Omit<ReceivedItem, "response">[]
  /** The time of the responses, in milliseconds since 1970. */
  readonly now: () => number
}

export function createOfflineHttpPort({ userAgent, answer, itemsOf, now }: OfflineHttpOptions): HttpPort {
  const parse = createTargetParser(readProxies({}))
  const cookies = createCookies()
  const send = async (request: WireRequest, { block, onSent, onItem }: SendOptions): Promise<SendOutcome> => {
    const first = findFirstHop(request, parse)
    if (!first.ok) return { ok: false, ...first.fault, redirects: [] }
    const lines = requestLines(first.hop, { cookie: cookies.header(request.api, first.hop), userAgent })
    onSent(sentRequest(request, first.hop, lines))
    const outcome = answer(block)
    const response = outcome.ok ? outcome.response : outcome.partial
    if (response !== undefined) for (const item of itemsOf(block)) onItem?.({ ...item, response })
    const stored = outcome.ok ? setCookies(outcome.response.headers, now()) : []
    if (stored.length > 0) await cookies.store(request.api, first.hop.target, stored)
    return outcome
  }
  const port: HttpPort = { send, withOwnCookies: () => port, close: () => undefined }
  return port
}

/** Returns the cookies of a response without their expiry, which may be in the past. */
function setCookies(headers: Headers, now: number): readonly string[] {
  return [headers["set-cookie"] ?? []].flat().map((line) => {
    const maxAge = /;\s*max-age=(-?\d+)/i.exec(line)?.[1]
    const expires = Date.parse(/;\s*expires=([^;]*)/i.exec(line)?.[1] ?? "")
    const isDeleted = maxAge === undefined ? expires <= now : Number(maxAge) <= 0
    return isDeleted ? line : line.replaceAll(/;\s*(?:max-age|expires)=[^;]*/gi, "")
  })
}
