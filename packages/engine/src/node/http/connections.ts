// Which connection a request goes out on: one pool for each origin, all pools within one limit.

import { request as sendHttp, type Agent, type ClientRequest, type RequestOptions } from "node:http"
import { connect as connectTcp, type Socket } from "node:net"
import type { ConnectionOptions } from "node:tls"
import { maxHeaderBytes } from "./fault.ts"
import type { Origin, Target } from "./origin.ts"
import { ConnectionBudget, ConnectionPool, type OnConnected } from "./pool.ts"
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
}

interface TlsSide {
  readonly connect: typeof import("node:tls").connect
  readonly tunnels: Tunnels
}

/** Makes the pools. Open are at most `concurrency` connections; a request that would need one more waits. */
export function createConnections(concurrency: number): Connections {
  const budget = new ConnectionBudget(concurrency)
  const verified = new Map<Origin, ConnectionPool>()
  const unverified = new Map<Origin, ConnectionPool>()
  let tls: TlsSide | undefined

  const poolOf = ({ target: { origin }, verifyTls }: Outgoing): ConnectionPool => {
    const pools = verifyTls ? verified : unverified
    let pool = pools.get(origin)
    if (pool === undefined) {
      pool = new ConnectionPool(
        budget,
        origin,
        usesTls(origin) ? tlsConnector(tls!, origin, verifyTls) : plainConnector(origin),
      )
      pools.set(origin, pool)
    }
    return pool
  }

  return {
    prepare: (origin) => {
      if (!usesTls(origin) || tls !== undefined) return undefined
      return import("node:tls").then(({ connect }) => {
        tls ??= { connect, tunnels: createTunnels(connect) }
      })
    },
    open: (outgoing) => {
      const request = sendHttp(requestOptions(outgoing, poolOf(outgoing)))
      // Node drops headers past the 1,000th without a word; the limit on their bytes is limit enough.
      request.maxHeadersCount = 0
      return request
    },
    dropIdle: (outgoing) => poolOf(outgoing).dropIdle(),
    close: () => {
      budget.close()
      tls?.tunnels.close()
    },
  }
}

/** Whether a connection begins with TLS: to the origin, or to the proxy in front of it. */
const usesTls = ({ secure, proxy }: Origin): boolean => secure || proxy?.secure === true

function requestOptions({ target, method, headers }: Outgoing, pool: ConnectionPool): RequestOptions {
  const { origin } = target
  // Node asks an agent for nothing but `addRequest`, and what is said of itself here.
  const agent = pool as unknown as Agent
  const { proxy, host } = origin
  if (proxy === undefined || origin.secure)
    return { agent, host, method, path: target.path, headers, maxHeaderSize: maxHeaderBytes }
  // A proxy takes a plain request with the whole URL in its first line (RFC 9112 section 3.2.2).
  return {
    agent,
    host,
    method,
    path: origin.key + target.path,
    headers:
      proxy.authorization === undefined ? headers : [...headers, "proxy-authorization", proxy.authorization],
    maxHeaderSize: maxHeaderBytes,
  }
}

const tcpOptions = {
  noDelay: true,
  keepAlive: true,
  keepAliveInitialDelay: 1_000,
  // A far server needs more than Node's 250 ms before its next address is tried.
  autoSelectFamilyAttemptTimeout: 2_000,
}

type Connector = (done: OnConnected) => Socket | undefined

const plainConnector = ({ host, port, proxy }: Origin): Connector => {
  const place = proxy ?? { host, port }
  return () => connectTcp({ ...tcpOptions, host: place.host, port: place.port })
}

/** TLS to the origin, straight or through a tunnel, or to the proxy of a plain origin. */
function tlsConnector({ connect, tunnels }: TlsSide, origin: Origin, verifyTls: boolean): Connector {
  const { proxy, secure, host, port } = origin
  let session: Buffer | undefined
  const handshake = (options: ConnectionOptions): Socket => {
    const socket = connect({ ...options, ALPNProtocols: ["http/1.1"], session })
    socket.on("session", (fresh) => (session = fresh))
    // A server may refuse a resumed session; the next connection starts afresh.
    socket.on("error", () => (session = undefined))
    return socket
  }
  if (!secure && proxy !== undefined)
    return () => handshake({ ...tcpOptions, host: proxy.host, port: proxy.port, rejectUnauthorized: true })
  // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED has no say.
  const identity = { servername: origin.serverName, rejectUnauthorized: verifyTls }
  if (proxy === undefined) return () => handshake({ ...tcpOptions, ...identity, host, port })
  return (done) => {
    tunnels.open(proxy, origin, (result) => {
      if (result instanceof Error) done(result)
      else done(handshake({ ...identity, host, socket: result }))
    })
    return undefined
  }
}
