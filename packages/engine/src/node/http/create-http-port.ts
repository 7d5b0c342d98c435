// Implements the HTTP port with Node's own client. Sends a request and follows its redirects. The whole chain has one
// deadline and one outcome.

import { setMaxListeners } from "node:events"
import type { Finding, Headers, RedirectView, Writable } from "@callsheet/format"
import type { CertificateFinder, HttpPort, SendOptions, SendOutcome, WireRequest } from "../../ports.ts"
import { createConnections, openRequest, type Connections } from "./connections.ts"
import { createCookies, cookieNames, type Cookies } from "./cookies.ts"
import { findFirstHop, sentRequest } from "./first-hop.ts"
import { createTargetParser, fullUrl, withoutQuery, type Target, type TargetParser } from "./origin.ts"
import { readProxies, type ProcessEnvironment } from "./proxy.ts"
import { messages, type Phase } from "../../messages.ts"
import { startExchange, type Exchange, type ExchangeResult } from "./exchange.ts"
import { headerText, readHeaderLines } from "./header-lines.ts"
import { isRedirect, losesBody, redirectHop, type Hop } from "./hop.ts"
import { isIdempotent } from "../../run/idempotent.ts"
import type { ConnectionPool } from "./pool.ts"
import { requestLines } from "./request-lines.ts"
import { MAX_TIMER_MS, monotonicMs } from "../monotonic.ts"

export interface HttpPortOptions {
  /** The maximum number of open connections. The caller must limit requests in flight to the same number. */
  readonly concurrency: number
  /** The source of HTTP_PROXY, HTTPS_PROXY and NO_PROXY. Lowercase names win. */
  readonly processEnvironment: ProcessEnvironment
  /** The `user-agent` of requests that don't set one, such as `callsheet/1.2.3`. By default, `callsheet`. */
  readonly userAgent?: string
  /** The cookie jars of an earlier run, to continue its sessions. By default, new jars. */
  readonly cookies?: Cookies | undefined
  /** Finds the client certificate and the authorities of an origin. By default, there are none. */
  readonly certificateOf?: CertificateFinder
}

export function createHttpPort(options: HttpPortOptions): HttpPort {
  const shared: Shared = {
    connections: createConnections(options.concurrency, options.certificateOf),
    cookies: options.cookies ?? createCookies(),
    parse: createTargetParser(readProxies(options.processEnvironment)),
    userAgent: options.userAgent ?? "callsheet",
  }
  return portOf(shared)
}

const portOf = (shared: Shared): HttpPort => ({
  send: (request, options) => sendRequest(shared, request, options),
  withOwnCookies: () => portOf({ ...shared, cookies: createCookies() }),
  close: () => shared.connections.close(),
})

interface Shared {
  readonly connections: Connections
  readonly cookies: Cookies
  readonly parse: TargetParser
  readonly userAgent: string
}

interface Settle {
  readonly resolve: (outcome: SendOutcome) => void
  /** Called only for bugs in callsheet. */
  readonly reject: (error: unknown) => void
}

/** The phases in which the server can't have processed the request, because it hasn't received all of it. */
const unsent = new Set<Phase>(["queued", "connecting", "handshake", "sending"])

const maxRedirects = 10

/** Sends a request. Never throws for an error of the request or the server. */
const sendRequest = (shared: Shared, request: WireRequest, options: SendOptions): Promise<SendOutcome> =>
  new Promise((resolve, reject) => new Sending(shared, { request, options }, { resolve, reject }).start())

class Sending {
  readonly #signal: AbortSignal
  readonly #deadline: number
  readonly #shared: Shared
  readonly #request: WireRequest
  readonly #onSent: SendOptions["onSent"]
  readonly #onItem: SendOptions["onItem"]
  readonly #settle: Settle
  readonly #redirects: RedirectView[] = []
  readonly #warnings: Finding[] = []
  readonly #startedAt = monotonicMs()
  #timer: NodeJS.Timeout | undefined
  #first: Target | undefined
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
    this.#onSent = options.onSent
    this.#onItem = options.onItem
    this.#settle = settle
    this.#signal = options.signal
    this.#deadline = this.#startedAt + request.timeoutMs
  }

  readonly #cancel = (): void => this.#fail(messages.cancelled.request())

  start(): void {
    if (this.#signal.aborted) return this.#cancel()
    const first = findFirstHop(this.#request, this.#shared.parse)
    if (!first.ok) return this.#fail(first.fault)
    this.#first = first.hop.target
    // Node 20 warns about more than ten listeners.
    setMaxListeners(0, this.#signal)
    this.#signal.addEventListener("abort", this.#cancel)
    this.#timer = setTimeout(() => this.#timeOut(), Math.min(this.#request.timeoutMs, MAX_TIMER_MS))
    this.#go(first.hop)
  }

  #go(hop: Hop): void {
    this.#hop = hop
    const pool = this.#shared.connections.poolOf(hop.target.origin, this.#request)
    if (!(pool instanceof Promise)) return this.#guard(() => this.#send(hop, pool))
    void pool.then((loaded) => this.#guard(() => this.#send(hop, loaded)), this.#settle.reject)
  }

  #send(hop: Hop, pool: ConnectionPool): void {
    const { cookies, userAgent } = this.#shared
    this.#lines = requestLines(hop, { cookie: cookies.header(this.#request.api, hop), userAgent })
    if (this.#redirects.length === 0) this.#onSent(sentRequest(this.#request, hop, this.#lines))
    this.#start(hop, pool)
  }

  #start(hop: Hop, pool: ConnectionPool): void {
    const { target, method } = hop
    this.#exchange = startExchange(
      openRequest({ target, method, headers: this.#lines }, pool),
      {
        origin: target.origin,
        isOriginSecret: this.#request.secretBase?.owns(target.origin.key) === true,
        body: hop.body,
        maxResponseBytes: this.#request.maxResponseBytes,
        streams: this.#request.streams,
        onItem: (item) =>
          this.#guard(() => this.#onItem?.({ ...item, elapsedMs: monotonicMs() - this.#startedAt })),
        isBodyUnwanted: (status, headers) => this.#locationOf(status, headers) !== undefined,
        onProgress: () => {
          if (monotonicMs() > this.#deadline) this.#timeOut()
        },
      },
      (result) => this.#guard(() => this.#received(hop, pool, result)),
    )
  }

  #received(hop: Hop, pool: ConnectionPool, result: ExchangeResult): void {
    if (this.#settled) return
    if (!result.ok) {
      if (result.stale) pool.distrust()
      if (!result.stale || this.#resent || !isIdempotent(hop.method.toUpperCase()))
        return this.#fail(result.fault)
      this.#resent = true
      return this.#start(hop, pool)
    }
    const setCookie = result.headers["set-cookie"]
    if (!Array.isArray(setCookie)) return this.#follow(hop, result)
    void this.#shared.cookies
      .store(this.#request.api, hop.target, setCookie)
      .then(() => this.#guard(() => this.#follow(hop, result)), this.#settle.reject)
  }

  #follow(hop: Hop, result: ExchangeResult & { readonly ok: true }): void {
    if (this.#settled) return
    const { status, headers, body, stream, warnings } = result
    if (warnings.length > 0) this.#warnings.push(...warnings)
    const location = this.#locationOf(status, headers)
    if (location === undefined) {
      this.#finish({
        ok: true,
        response: {
          status,
          headers,
          body,
          stream,
          durationMs: monotonicMs() - this.#startedAt,
          redirects: this.#redirects,
          warnings: this.#warnings,
        },
      })
      return
    }
    const request = this.#request
    const next = redirectHop(hop, { status, location }, { request, parse: this.#shared.parse })
    if (!next.ok) {
      if (next.to !== undefined) this.#redirects.push({ status, url: this.#shown(next.to) })
      return this.#fail(next.fault)
    }
    const dropped = [...next.dropped, ...this.#cookiesLeftBehind(hop, next.hop)]
    const view: Writable<RedirectView> = { status, url: this.#shown(next.hop.target) }
    if (next.hop.method !== hop.method) view.method = next.hop.method
    if (dropped.length > 0) view.dropped = dropped
    this.#redirects.push(view)
    if (losesBody(hop, next.hop, status))
      this.#warnings.push(
        messages["redirect-body"].dropped({ status, from: hop.method, to: next.hop.method }),
      )
    if (this.#redirects.length > maxRedirects) return this.#fail(this.#tooManyRedirects())
    this.#go(next.hop)
  }

  /** Names the circle if the redirects lead to the same place again and again. */
  #tooManyRedirects(): Finding<"too-many-redirects"> {
    const says = messages["too-many-redirects"]
    const from = this.#first === undefined ? [] : [this.#shown(this.#first)]
    const places = [...from, ...this.#redirects.map(({ url }) => url)]
    const last = places.lastIndexOf(places.at(-1) ?? "", -2)
    if (last === -1) return says.tooMany(maxRedirects, this.#chain())
    const circle = new Set(places.slice(last))
    const first = places.findIndex((place) => circle.has(place))
    const again = places.indexOf(places[first] ?? "", first + 1)
    return says.circle(maxRedirects, places.slice(first, again + 1).map(withoutQuery))
  }

  #chain(): readonly string[] {
    return this.#redirects.map(({ status, url }) => `${status} ${withoutQuery(url)}`)
  }

  #shown(target: Target): string {
    const url = fullUrl(target)
    return this.#request.secretBase?.url(url) ?? url
  }

  /** Returns the names of the cookies that don't follow a redirect to another origin. */
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
    if (this.#exchange?.endStream() === true) return
    const { method, timeoutMs } = this.#request
    const elapsedMs = Math.round(monotonicMs() - this.#startedAt)
    const phase = this.#exchange?.phase() ?? "queued"
    const url = this.#hop && withoutQuery(this.#shown(this.#hop.target))
    this.#fail(messages["request-timeout"].timedOut({ method, url, timeoutMs, elapsedMs, phase }))
  }

  #fail({ code, message, hint }: Finding<Extract<SendOutcome, { ok: false }>["code"]>): void {
    const head = this.#exchange?.head()
    const durationMs = monotonicMs() - this.#startedAt
    const urls = this.#chain()
    this.#finish({
      ok: false,
      code,
      message:
        urls.length === 0 || code === "too-many-redirects"
          ? message
          : `${message}; redirects: ${urls.join(", ")}`,
      hint,
      redirects: this.#redirects,
      isSent: this.#redirects.length > 0 || !unsent.has(this.#exchange?.phase() ?? "queued"),
      partial: head && { ...head, durationMs, redirects: this.#redirects },
    })
  }

  #finish(outcome: SendOutcome): void {
    if (this.#settled) return
    this.#end()
    if (!outcome.ok) this.#exchange?.abandon()
    this.#settle.resolve(outcome)
  }

  /** Passes errors of our own code to the caller, because network callbacks can't throw to it. */
  #guard(action: () => void): void {
    if (this.#settled) return
    try {
      action()
    } catch (error) {
      this.#end()
      this.#settle.reject(error)
    }
  }

  #end(): void {
    this.#settled = true
    clearTimeout(this.#timer)
    this.#signal.removeEventListener("abort", this.#cancel)
  }
}
