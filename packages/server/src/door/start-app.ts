// Starts the server of the application: listens, guards, answers, stops.

import { createServer, type IncomingMessage, type Server } from "node:http"
import { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { CallsheetError } from "@callsheet/format"
import { messages } from "../messages.ts"
import { answerRequest, rawOf, refusalAnswer, type Site } from "./answer-request.ts"
import { failureAnswer, sendRaw, type Answer } from "./answer.ts"
import { createEventStreams } from "./event-streams.ts"
import { guard } from "./guard.ts"
import type { AppEvents } from "../events.ts"
import type { Handlers } from "../handlers.ts"
import { hostsOf, originOf, settleHost, type Listening } from "./hosts.ts"
import { limitConnections } from "./limit-connections.ts"
import { defaultLimits, type Limits } from "./limits.ts"
import { isFromOtherUser, isOwnUser } from "./peer-user.ts"
import type { Assets } from "./read-assets.ts"
import { createSession, type LinkUse } from "./session.ts"

export interface AppOptions {
  readonly handlers: Handlers
  readonly events: AppEvents
  readonly assets: Assets
  /** Absolute path of the project. */
  readonly root: string
  /** 0, and so one that is free, unless told. */
  readonly port?: number | undefined
  /** An address; 127.0.0.1 unless told. */
  readonly host?: string | undefined
  /** Lets `host` be an address that other machines can reach. */
  readonly allowRemote?: boolean
  /** Hears of what a handler threw that was no `CallsheetError`; the page hears only that there was something. */
  readonly onBug?: (error: unknown) => void
  readonly limits?: Partial<Limits>
  /** Milliseconds that never go back. */
  readonly now?: () => number
}

export interface RunningApp {
  /** Works once, for five minutes. */
  readonly link: string
  /** Another link. */
  readonly makeLink: (use: LinkUse) => string
  /** The address that it listens at. */
  readonly address: string
  readonly port: number
  /** What `POST /link` wants to see; for the port file alone. */
  readonly owner: string
  /**
   * Whether other machines can reach it. What reveals a secret, saves a script or runs against production has to ask
   * this, and to refuse where it is true (SR-01).
   */
  readonly isRemote: boolean
  /** Ends what is going on, and stops to listen. */
  readonly close: () => Promise<void>
}

/** Listens as soon as the promise is fulfilled. Throws `usage` for a host that may not be, and `port-unusable`. */
export async function startApp(options: AppOptions): Promise<RunningApp> {
  const listening = settleHost(options.host, options.allowRemote ?? false)
  const limits = { ...defaultLimits, ...options.limits }
  const server = createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: Math.min(limits.headersTimeoutMs, 5_000),
    insecureHTTPParser: false,
    // The guard says what it says of any foreign `Host`.
    requireHostHeader: false,
  })
  // Node would leave out what is more than so many: the guard sees all that fit into the headers' size.
  server.maxHeadersCount = 0
  const port = await listen(server, listening, options.port ?? 0)
  const site = createSite({ options, limits, server, listening, port })
  answerAll(server, site)
  return {
    link: site.linkTo(site.session.makeLink("anyone")),
    makeLink: (use) => site.linkTo(site.session.makeLink(use)),
    address: listening.address,
    port,
    owner: site.session.owner,
    isRemote: listening.isRemote,
    close: () => close(server),
  }
}

interface SiteParts {
  readonly options: AppOptions
  readonly limits: Limits
  readonly server: Server
  readonly listening: Listening
  readonly port: number
}

function createSite({ options, limits, server, listening, port }: SiteParts): Site {
  const session = createSession(options.now ?? (() => performance.now()))
  const { assets, handlers, root } = options
  const origin = originOf(listening, port)
  return {
    guardState: {
      hosts: hostsOf(listening, port),
      // Browsers send cookies to all ports of a host: two applications must not take each other's.
      cookieName: `callsheet-session-${port}`,
      isAsset: (path) => assets.has(path),
      isCookie: session.isCookie,
      isKey: session.isKey,
      isOwner: session.isOwner,
    },
    session,
    assets,
    handlers,
    root,
    limits,
    streams: createEventStreams(options.events, limits),
    connections: limitConnections(server, limits.connections),
    linkTo: (secret) => `${origin}/#link=${secret}`,
    mayOpen: (use, request) =>
      use === "anyone" ? !isFromOtherUser(request.socket) : isOwnUser(request.socket),
    onBug: options.onBug ?? (() => undefined),
  }
}

/** Every way in which Node hands out what arrives: none of them gets past the guard. */
function answerAll(server: Server, site: Site): void {
  server.on("request", (request, response) => void answerRequest(request, response, site))
  server.on("checkContinue", (request, response) => void answerRequest(request, response, site))
  server.on("checkExpectation", (request, response) => void answerRequest(request, response, site))
  server.on("connect", (request: IncomingMessage, socket: Duplex) => {
    const verdict = guard(rawOf(request), site.guardState)
    if (verdict.kind === "refused") sendRaw(socket, refusalAnswer(verdict.refusal))
    else socket.destroy()
  })
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    // Nothing goes between the parts of an answer that has begun.
    if (socket.writable && error.code !== "ECONNRESET" && bytesWritten(socket) === 0)
      sendRaw(socket, brokenRequest(error.code))
    else socket.destroy()
  })
}

const bytesWritten = (socket: Duplex): number => (socket instanceof Socket ? socket.bytesWritten : 0)

function brokenRequest(code: string | undefined): Answer {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return failureAnswer(408, { code: "too-slow", message: "the request took too long" })
  if (code === "HPE_HEADER_OVERFLOW")
    return failureAnswer(431, { code: "too-large", message: "the headers are too large" })
  return failureAnswer(400, { code: "malformed", message: "this is no well-formed request" })
}

async function listen(server: Server, { address }: Listening, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(unusable(error, address, port)))
    server.listen({ host: address, port, ipv6Only: true }, resolve)
  })
  const bound = server.address()
  if (bound === null || typeof bound === "string") throw new Error("the server listens at no port")
  return bound.port
}

function unusable({ code }: NodeJS.ErrnoException, address: string, port: number): CallsheetError {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: "another program listens there",
    EACCES: "this user may not listen there",
    EADDRNOTAVAIL: "this machine does not have that address",
  }
  const reason = reasons[code ?? ""] ?? `the system says ${code ?? "no more"}`
  return new CallsheetError(messages["port-unusable"].unusable(address, port, reason))
}

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
