// One request of the caller with its redirects: one deadline over all of them, one outcome.

import type { Headers, RedirectView } from "@callsheet/format"
import type { SendOptions, SendOutcome, WireRequest } from "../../ports.ts"
import type { Cancellable, Cancelling } from "./cancelling.ts"
import { checkRequest } from "./check-request.ts"
import type { Connections, Outgoing } from "./connections.ts"
import { cookieNames, type Cookies } from "./cookies.ts"
import { startExchange, type Exchange, type ExchangeResult } from "./exchange.ts"
import type { Fault } from "./fault.ts"
import { headerText, readHeaderLines } from "./header-lines.ts"
import { isRedirect, redirectHop, type Hop } from "./hop.ts"
import { fullUrl, shownUrl, type TargetParser } from "./origin.ts"
import { requestLines } from "./request-lines.ts"

/** What all requests of a port share. */
export interface Shared {
  readonly connections: Connections
  readonly cookies: Cookies
  readonly parse: TargetParser
  readonly cancelling: Cancelling
  readonly userAgent: string
}

interface Settle {
  readonly resolve: (outcome: SendOutcome) => void
  /** For errors of ours alone. */
  readonly reject: (error: unknown) => void
}

const maxRedirects = 10
/** The longest delay of a timer; a longer one would fire at once. */
const longestTimerMs = 2 ** 31 - 1
/** Sending one of these twice does what sending it once does (RFC 9110 section 9.2.2). */
const idempotent = new Set(["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"])

/** Sends a request; never throws for what the request or the server do wrong. */
export const sendRequest = (
  shared: Shared,
  request: WireRequest,
  options: SendOptions,
): Promise<SendOutcome> =>
  new Promise((resolve, reject) => new Sending(shared, { request, options }, { resolve, reject }).start())

class Sending implements Cancellable {
  slot = -1
  readonly #shared: Shared
  readonly #request: WireRequest
  readonly #options: SendOptions
  readonly #settle: Settle
  readonly #redirects: RedirectView[] = []
  readonly #startedAt = performance.now()
  #timer: NodeJS.Timeout | undefined
  #hop: Hop | undefined
  #lines: string[] = []
  #exchange: Exchange | undefined
  #resent = false
  #settled = false

  constructor(
    shared: Shared,
    { request, options }: { readonly request: WireRequest; readonly options: SendOptions },
    settle: Settle,
  ) {
    this.#shared = shared
    this.#request = request
    this.#options = options
    this.#settle = settle
  }

  cancel(): void {
    this.#fail("cancelled", { message: "the request was cancelled" })
  }

  start(): void {
    const request = this.#request
    if (this.#options.signal.aborted) return this.cancel()
    const fault = checkRequest(request)
    if (fault !== undefined) return this.#fail("request-failed", fault)
    const parsed = this.#shared.parse(request.url)
    if (!parsed.ok)
      return this.#fail("request-failed", { message: `the request was not sent: ${parsed.message}` })
    this.#timer = setTimeout(() => this.#timeOut(), Math.min(request.timeoutMs, longestTimerMs))
    this.#shared.cancelling.add(this.#options.signal, this)
    // Written out: a spread makes a hidden class for each request, which only a major collection takes away.
    const { method, headers, cookies, body } = request
    this.#go({ target: parsed.target, method, headers, cookies, body })
  }

  #go(hop: Hop): void {
    this.#hop = hop
    const ready = this.#shared.connections.prepare(hop.target.origin)
    if (ready === undefined) this.#guard(() => this.#send(hop))
    else void ready.then(() => this.#guard(() => this.#send(hop)), this.#settle.reject)
  }

  #send(hop: Hop): void {
    const isFirst = this.#lines.length === 0
    this.#lines = requestLines(hop, {
      cookie: this.#shared.cookies.header(this.#request.api, hop),
      userAgent: this.#shared.userAgent,
    })
    if (isFirst)
      this.#options.onSent({
        method: hop.method,
        url: fullUrl(hop.target),
        headers: readHeaderLines(this.#lines),
      })
    this.#start(hop)
  }

  #start(hop: Hop): void {
    const { connections } = this.#shared
    const outgoing: Outgoing = {
      target: hop.target,
      method: hop.method,
      headers: this.#lines,
      verifyTls: this.#request.verifyTls,
    }
    const { origin } = hop.target
    this.#exchange = startExchange(
      connections.open(outgoing),
      {
        origin,
        body: hop.body,
        maxResponseBytes: this.#request.maxResponseBytes,
        isBodyUnwanted: (status, headers) => this.#locationOf(status, headers) !== undefined,
        onProgress: () => {
          if (performance.now() - this.#startedAt > this.#request.timeoutMs) this.#timeOut()
        },
      },
      (result) => this.#guard(() => this.#received(hop, outgoing, result)),
    )
  }

  #received(hop: Hop, outgoing: Outgoing, result: ExchangeResult): void {
    if (this.#settled) return
    if (!result.ok) {
      if (!result.stale || this.#resent || !idempotent.has(hop.method.toUpperCase()))
        return this.#fail("request-failed", result.fault)
      this.#resent = true
      this.#shared.connections.dropIdle(outgoing)
      return this.#start(hop)
    }
    const setCookie = result.headers["set-cookie"]
    if (!Array.isArray(setCookie)) return this.#follow(hop, result)
    void this.#shared.cookies
      .store(this.#request.api, hop.target, setCookie)
      .then(() => this.#guard(() => this.#follow(hop, result)), this.#settle.reject)
  }

  #follow(hop: Hop, result: ExchangeResult & { readonly ok: true }): void {
    if (this.#settled) return
    const { status, headers, body } = result
    const location = this.#locationOf(status, headers)
    if (location === undefined) {
      this.#finish({
        ok: true,
        response: {
          status,
          headers,
          body,
          durationMs: performance.now() - this.#startedAt,
          redirects: this.#redirects,
        },
      })
      return
    }
    const { sensitive } = this.#request
    const next = redirectHop(hop, { status, location }, { sensitive, parse: this.#shared.parse })
    if (!next.ok) {
      if (next.to !== undefined) this.#redirects.push({ status, url: fullUrl(next.to) })
      return this.#fail("request-failed", next.fault)
    }
    const dropped = [...next.dropped, ...this.#cookiesLeftBehind(hop, next.hop)]
    const url = fullUrl(next.hop.target)
    this.#redirects.push(dropped.length > 0 ? { status, url, dropped } : { status, url })
    if (this.#redirects.length > maxRedirects)
      return this.#fail("too-many-redirects", { message: `more than ${maxRedirects} redirects` })
    this.#go(next.hop)
  }

  /** The cookies of a request that the next one, to another origin, goes without. */
  #cookiesLeftBehind(from: Hop, to: Hop): string[] {
    if (from.target.origin === to.target.origin) return []
    const text = headerText(readHeaderLines(this.#lines), "cookie")
    if (text === undefined) return []
    const kept = new Set(cookieNames(this.#shared.cookies.header(this.#request.api, to) ?? ""))
    return cookieNames(text).flatMap((name) => (kept.has(name) ? [] : [`cookie ${name}`]))
  }

  #locationOf(status: number, headers: Headers): string | undefined {
    if (!this.#request.followRedirects || !isRedirect(status)) return undefined
    const location = headerText(headers, "location")
    return location === "" ? undefined : location
  }

  #timeOut(): void {
    const { method, timeoutMs } = this.#request
    const elapsedMs = Math.round(performance.now() - this.#startedAt)
    const phase = this.#exchange?.phase() ?? "before it was sent"
    const url = this.#hop === undefined ? "" : ` ${shownUrl(this.#hop.target)}`
    this.#fail("request-timeout", {
      message: `${method}${url} did not end within ${timeoutMs} ms: it was stopped after ${elapsedMs} ms, ${phase}`,
    })
  }

  #fail(code: Extract<SendOutcome, { ok: false }>["code"], { message, hint }: Fault): void {
    const urls = this.#redirects.map(({ status, url }) => `${status} ${url.replace(/\?.*$/s, "")}`)
    this.#finish({
      ok: false,
      code,
      message: urls.length === 0 ? message : `${message}; redirects: ${urls.join(", ")}`,
      ...(hint === undefined ? {} : { hint }),
      redirects: this.#redirects,
    })
  }

  #finish(outcome: SendOutcome): void {
    if (this.#settled) return
    this.#settled = true
    clearTimeout(this.#timer)
    this.#shared.cancelling.remove(this.#options.signal, this)
    if (!outcome.ok) this.#exchange?.abandon()
    this.#settle.resolve(outcome)
  }

  /** Errors of ours must reach the caller although they happen in a callback of the network. */
  #guard(act: () => void): void {
    if (this.#settled) return
    try {
      act()
    } catch (error) {
      this.#settled = true
      clearTimeout(this.#timer)
      this.#settle.reject(error)
    }
  }
}
