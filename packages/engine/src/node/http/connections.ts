// Kept connections: one pool for http, one for https. A connection is trusted only while nothing unasked-for came on it.

import { Agent, request as requestPlain, type ClientRequest, type RequestOptions } from "node:http"
import type { Agent as TlsAgent, RequestOptions as TlsRequestOptions } from "node:https"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { maxHeaderBytes } from "./fault.ts"
import type { Origin, Target } from "./origin.ts"
import type { Proxy } from "./proxy.ts"
import { createTunnels, type Tunnels } from "./tunnel.ts"

export interface Connections {
  /** Loads what an origin needs; undefined where it is there already. */
  readonly prepare: (origin: Origin) => Promise<void> | undefined
  /** Starts a request on a kept or a new connection; `prepare` came first. Its body and end are still to be sent. */
  readonly open: (outgoing: Outgoing) => ClientRequest
  /** Closes the idle connections that this request could use, so that it gets a new one. */
  readonly dropIdle: (outgoing: Outgoing) => void
  readonly close: () => void
}

export interface Outgoing {
  readonly target: Target
  readonly method: string
  /** Names and values in turn. */
  readonly headers: string[]
  readonly verifyTls: boolean
  readonly timeoutMs: number
}

type TlsModule = typeof import("node:https")

interface TlsSide {
  readonly module: TlsModule
  readonly agent: TlsAgent
  readonly tunnels: Tunnels
}

/** Our additions to what Node passes from a request to its agent's `createConnection`. */
interface ConnectOptions extends TlsRequestOptions {
  tunnel?: { readonly proxy: Proxy; readonly timeoutMs: number }
}

type OnConnected = (error: Error | null, socket: Duplex) => void

/** Makes the pools. Open are at most `concurrency` connections, as long as no more requests are under way. */
export function createConnections(concurrency: number): Connections {
  const roster = createRoster(concurrency)
  const plain = new (keepingAgent(Agent, roster))(agentSettings(concurrency))
  let tls: TlsSide | undefined

  const sideOf = (origin: Origin): TlsSide | undefined => (usesTls(origin) ? tls : undefined)

  return {
    prepare: (origin) => {
      if (!usesTls(origin) || tls !== undefined) return undefined
      return import("node:https").then((module) => {
        tls ??= createTlsSide(module, roster, concurrency)
      })
    },
    open: (outgoing) => {
      const { origin } = outgoing.target
      const side = sideOf(origin)
      const options = connectOptions(outgoing)
      const agent = side?.agent ?? plain
      options.agent = agent
      discardIdle(idleOf(agent, options), origin.idleLimitMs)
      const request = side === undefined ? requestPlain(options) : side.module.request(options)
      // Node drops headers past the 1,000th without a word; the limit on their bytes is limit enough.
      request.maxHeadersCount = 0
      return request
    },
    dropIdle: (outgoing) => {
      const agent = sideOf(outgoing.target.origin)?.agent ?? plain
      discardIdle(idleOf(agent, connectOptions(outgoing)), -1)
    },
    close: () => {
      plain.destroy()
      tls?.agent.destroy()
      tls?.tunnels.close()
    },
  }
}

const idleOf = (agent: Agent, options: ConnectOptions): Socket[] | undefined =>
  agent.freeSockets[agent.getName(options)]

/** Whether the first hop of a connection is TLS to the origin, or to the proxy of a plain one. */
const usesTls = ({ secure, proxy }: Origin): boolean => secure || proxy?.secure === true

function connectOptions({ target, method, headers, verifyTls, timeoutMs }: Outgoing): ConnectOptions {
  const { origin } = target
  const { proxy, secure } = origin
  const options: ConnectOptions = { method, path: target.path, headers, maxHeaderSize: maxHeaderBytes }
  if (secure || proxy === undefined) {
    options.host = origin.host
    options.port = origin.port
  } else {
    // A proxy takes a plain request with the whole URL in its first line (RFC 9112 section 3.2.2).
    options.host = proxy.host
    options.port = proxy.port
    options.path = origin.key + target.path
    if (proxy.authorization !== undefined)
      options.headers = [...headers, "proxy-authorization", proxy.authorization]
  }
  if (secure) {
    options.servername = origin.serverName
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED has no say.
    options.rejectUnauthorized = verifyTls
    if (proxy !== undefined) options.tunnel = { proxy, timeoutMs }
  } else if (proxy?.secure === true) options.rejectUnauthorized = true
  return options
}

const agentSettings = (concurrency: number) => ({
  keepAlive: true,
  maxSockets: concurrency,
  maxFreeSockets: concurrency,
  // A far server needs more than Node's 250 ms before its next address is tried.
  autoSelectFamilyAttemptTimeout: 2_000,
})

/** What a connection had received when it last became idle, and when that was. */
interface Mark {
  at: number
  bytesRead: number
}

const marks = new WeakMap<Duplex, Mark>()

/** Bytes that came on a connection before its present request. */
export const bytesBefore = (socket: Socket): number => marks.get(socket)?.bytesRead ?? 0

/**
 * Closes idle connections from the one that would be used next: idle too long, so that the server may be closing it,
 * or with surplus data of an earlier response, which would pass for the answer to the next request.
 */
function discardIdle(idle: Socket[] | undefined, limitMs: number): void {
  for (let socket = idle?.at(-1); socket !== undefined; socket = idle?.at(-1)) {
    const mark = marks.get(socket)
    if (
      mark !== undefined &&
      !socket.destroyed &&
      mark.bytesRead === socket.bytesRead &&
      performance.now() - mark.at <= limitMs
    )
      return
    socket.destroy()
    idle?.pop()
  }
}

/** All open connections of both pools, and which of them are idle. */
interface Roster {
  readonly idle: Set<Duplex>
  /** Closes an idle connection where a new one would be one too many. */
  readonly makeRoom: () => void
  readonly add: (socket: Duplex) => void
}

function createRoster(limit: number): Roster {
  const idle = new Set<Duplex>()
  let open = 0
  return {
    idle,
    makeRoom: () => {
      if (open < limit) return
      for (const socket of idle) {
        idle.delete(socket)
        socket.destroy()
        return
      }
    },
    add: (socket) => {
      open++
      marks.set(socket, { at: 0, bytesRead: 0 })
      socket.once("close", () => {
        open--
        idle.delete(socket)
      })
    },
  }
}

/** Extends one of Node's two agents by the roster and the marks. */
function keepingAgent<T extends new (...settings: never[]) => Agent>(base: T, roster: Roster): typeof Agent {
  const Base = base as unknown as typeof Agent
  return class extends Base {
    override createConnection(options: RequestOptions, onConnected?: OnConnected): Duplex | null | undefined {
      roster.makeRoom()
      const socket = super.createConnection(options, onConnected)
      if (socket !== null && socket !== undefined) roster.add(socket)
      return socket
    }

    // Node's own would also read the server's `keep-alive` header; `idleLimitMs` of the origin does that.
    override keepSocketAlive(socket: Duplex): boolean {
      const connection = socket as Socket
      const mark = marks.get(socket)
      if (mark === undefined) return false
      mark.at = performance.now()
      mark.bytesRead = connection.bytesRead
      roster.idle.add(socket)
      connection.setKeepAlive(true, 1_000)
      connection.unref()
      return true
    }

    override reuseSocket(socket: Duplex, request: ClientRequest): void {
      roster.idle.delete(socket)
      super.reuseSocket(socket, request)
    }
  }
}

function createTlsSide(module: TlsModule, roster: Roster, concurrency: number): TlsSide {
  const tunnels = createTunnels(module.request)
  const Keeping = keepingAgent(module.Agent, roster)
  class TunnellingAgent extends Keeping {
    override createConnection(options: ConnectOptions, onConnected?: OnConnected): Duplex | null | undefined {
      const { tunnel, ...rest } = options
      if (tunnel === undefined || onConnected === undefined) return super.createConnection(rest, onConnected)
      tunnels.open(tunnel, rest, (error, socket) => {
        if (socket === undefined) onConnected(error ?? null, undefined as never)
        else onConnected(null, super.createConnection({ ...rest, socket } as RequestOptions) as Duplex)
      })
      return undefined
    }
  }
  return { module, agent: new TunnellingAgent(agentSettings(concurrency)) as TlsAgent, tunnels }
}
