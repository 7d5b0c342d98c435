// Starts and stops the server of the app. Chooses its address and the `Host` values that it accepts.

import { Socket, isIP, isIPv6 } from "node:net"
import type { Duplex } from "node:stream"
import { closeServer, createListener, listen, LOOPBACK, type Answering } from "@callsheet/engine"
import { CallsheetError } from "@callsheet/format"
import { networkInterfaces } from "node:os"
import { messages } from "../messages.ts"
import { answerRequest, rawOf, refusalAnswer, type Site } from "./answer-request.ts"
import { failureAnswer, sendRaw, type Answer } from "./answer.ts"
import { createEventStreams } from "./event-streams.ts"
import { guard } from "./guard.ts"
import type { AppEvents } from "../events.ts"
import type { Handlers } from "../handlers.ts"
import { defaultLimits, type Limits } from "./limits.ts"
import { isFromOtherUser, isOwnUser } from "./peer-user.ts"
import type { Assets } from "./read-assets.ts"
import { createSession, type LinkUse } from "./session.ts"

export interface AppOptions {
  readonly handlers: Handlers
  readonly events: AppEvents
  readonly assets: Assets
  readonly root: string
  /** By default 0, which selects a free port. */
  readonly port?: number | undefined
  /** The IP address to listen on. By default, 127.0.0.1. */
  readonly host?: string | undefined
  /** If true, `host` may be an address that other machines can reach. */
  readonly allowRemote?: boolean
  /** Called with thrown errors other than `CallsheetError`. The page learns only that a bug occurred. */
  readonly onBug?: (error: unknown) => void
  readonly limits?: Partial<Limits>
  /** Returns monotonic milliseconds. */
  readonly now?: () => number
}

export type RunningApp = Awaited<ReturnType<typeof startApp>>

/** Starts the server. Resolves when it listens. Throws `port-unusable`, and `usage` for a refused host. */
export async function startApp(options: AppOptions) {
  const listening = settleHost(options.host, options.allowRemote ?? false)
  const limits = { ...defaultLimits, ...options.limits }
  const onBug = options.onBug ?? (() => undefined)
  const { server, connections } = createListener(
    {
      connections: limits.connections,
      maxHeaderSize: 16 * 1024,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: Math.min(limits.headersTimeoutMs, 5_000),
      insecureHTTPParser: false,
      // The guard refuses a request without `Host`.
      requireHostHeader: false,
    },
    answeringOf(() => site, onBug),
  )
  const port = await listen(server, listening.address, options.port ?? 0)
  const session = createSession(options.now ?? (() => performance.now()))
  const { assets, handlers, root } = options
  const origin = originOf(listening, port)
  const linkTo = (secret: string): string => `${origin}/#link=${secret}`
  const site: Site = {
    guardState: {
      hosts: hostsOf(listening, port),
      // Browsers send a cookie to all ports of a host, so each app needs its own name.
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
    connections,
    linkTo,
    mayOpen: (use, request) =>
      use === "anyone" ? !isFromOtherUser(request.socket) : isOwnUser(request.socket),
    onBug,
  }
  return {
    /** A link that works once, for five minutes. */
    link: linkTo(session.makeLink("anyone")),
    makeLink: (use: LinkUse): string => linkTo(session.makeLink(use)),
    address: listening.address,
    port,
    /** The secret for `POST /link`. Write it only to the port file. */
    owner: session.owner,
    /** True if other machines can reach the server. Secrets, scripts and production are then unavailable. */
    isRemote: listening.isRemote,
    close: (): Promise<void> => closeServer(server),
  }
}

/** Checks all requests with the guard. `siteOf` returns the site, which exists before the server gets a request. */
const answeringOf = (siteOf: () => Site, onBug: Site["onBug"]): Answering => ({
  request: (request, response) => answerRequest(request, response, siteOf()),
  connect: (request, socket) => {
    const verdict = guard(rawOf(request), siteOf().guardState)
    if (verdict.kind === "refused") sendRaw(socket, refusalAnswer(verdict.refusal))
    else socket.destroy()
  },
  clientError: (error, socket) => {
    // An answer that has started can't be replaced.
    if (socket.writable && error.code !== "ECONNRESET" && bytesWritten(socket) === 0)
      sendRaw(socket, brokenRequest(error.code))
    else socket.destroy()
  },
  onBug,
})

const bytesWritten = (socket: Duplex): number => (socket instanceof Socket ? socket.bytesWritten : 0)

function brokenRequest(code: string | undefined): Answer {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return failureAnswer(408, messages["too-slow"].request())
  if (code === "HPE_HEADER_OVERFLOW") return failureAnswer(431, messages["too-large"].headers())
  return failureAnswer(400, messages.malformed.request())
}

interface Listening {
  /** An IP address. A host name could later resolve to another address. */
  readonly address: string
  readonly isRemote: boolean
}

/**
 * Reads `--host`. Throws `usage` if it isn't an address, or if other machines could reach it and `allowRemote` isn't
 * set.
 */
export function settleHost(host: string | undefined, allowRemote: boolean): Listening {
  if (host === undefined || host === "localhost") return { address: LOOPBACK, isRemote: false }
  if (isIP(host) === 0) {
    throw new CallsheetError(messages.usage.host(host, LOOPBACK))
  }
  if (isLoopback(host)) return { address: host, isRemote: false }
  if (allowRemote) return { address: host, isRemote: true }
  throw new CallsheetError(messages.usage.remoteHost(host))
}

/** Returns the `Host` values to accept at a port: those of a local browser, and the server's address. */
export function hostsOf({ address, isRemote }: Listening, port: number): ReadonlySet<string> {
  const addresses = [LOOPBACK, "localhost", "::1", ...(isAny(address) ? ownAddresses() : [address])]
  const names = isRemote ? addresses : addresses.filter((name) => name === "localhost" || isLoopback(name))
  return new Set(names.map((name) => authority(name, port)))
}

/** Returns the URL of the server for a browser, such as `http://127.0.0.1:4000`. */
export function originOf({ address }: Listening, port: number): string {
  const own = ownAddresses().find((name) => isIPv6(name) === isIPv6(address))
  return `http://${authority(isAny(address) ? (own ?? LOOPBACK) : address, port)}`
}

/** Formats a host and port as browsers do: without port 80, and with IPv6 in brackets. */
function authority(name: string, port: number): string {
  const host = isIPv6(name) ? `[${name}]` : name
  return port === 80 ? host : `${host}:${port}`
}

const isLoopback = (address: string): boolean => address === "::1" || /^127\.\d+\.\d+\.\d+$/.test(address)
const isAny = (address: string): boolean => address === "0.0.0.0" || address === "::"

const ownAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((own = []) =>
    own.filter(({ internal }) => !internal).map(({ address }) => address),
  )
