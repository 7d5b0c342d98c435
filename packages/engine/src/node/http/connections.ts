// Chooses the connection of a request: one pool per origin, and one limit for all pools.

import type { Agent, ClientRequest, RequestOptions } from "node:http"
import { connect as connectTcp, type Socket } from "node:net"
import type { ConnectionOptions } from "node:tls"
import type { CertificateFinder, ClientCertificate, WireRequest } from "../../ports.ts"
import { secureContext } from "../user/secure-context.ts"
import { maxHeaderBytes } from "./fault.ts"
import type { Origin, Target } from "./origin.ts"
import { resolution } from "./loopback.ts"
import { ConnectionBudget, ConnectionPool, type OnConnected } from "./pool.ts"
import { sendHttp } from "./send-http.ts"
import { createTunnels, type Tunnels } from "./tunnel.ts"

export interface Connections {
  /** Returns the pool of an origin, or a promise if TLS has to be loaded first. */
  readonly poolOf: (
    origin: Origin,
    request: Pick<WireRequest, "verifyTls" | "environment">,
  ) => ConnectionPool | Promise<ConnectionPool>
  readonly close: () => void
}

interface Outgoing {
  readonly target: Target
  readonly method: string
  /** Alternating names and values. */
  readonly headers: string[]
}

interface TlsSide {
  readonly tls: typeof import("node:tls")
  readonly tunnels: Tunnels
}

/** Creates the pools. At most `concurrency` connections are open at once. Other requests wait. */
export function createConnections(concurrency: number, certificateOf?: CertificateFinder): Connections {
  const budget = new ConnectionBudget(concurrency)
  // A certificate belongs to one origin.
  const verified = new Map<Origin | ClientCertificate, ConnectionPool>()
  const unverified: typeof verified = new Map()
  let tls: TlsSide | undefined

  return {
    poolOf: (origin, { verifyTls, environment }) => {
      const pools = verifyTls ? verified : unverified
      const certificate = origin.secure ? certificateOf?.(origin.key, environment) : undefined
      const key = certificate ?? origin
      const known = pools.get(key)
      if (known !== undefined) return known
      const add = (connector: Connector): ConnectionPool => {
        const pool = new ConnectionPool(budget, origin, connector)
        pools.set(key, pool)
        return pool
      }
      if (!usesTls(origin)) return add(plainConnector(origin))
      const secure = (side: TlsSide) => add(tlsConnector(side, origin, { verifyTls, certificate }))
      if (tls !== undefined) return secure(tls)
      return import("node:tls").then((module) => {
        tls ??= { tls: module, tunnels: createTunnels(module.connect) }
        // Another request may have created the pool while TLS was loading.
        return pools.get(key) ?? secure(tls)
      })
    },
    close: () => {
      budget.close()
      tls?.tunnels.close()
    },
  }
}

/** Starts a request on an idle or a new connection of the pool. The caller writes the body and ends the request. */
export function openRequest(outgoing: Outgoing, pool: ConnectionPool): ClientRequest {
  const request = sendHttp(requestOptions(outgoing, pool))
  // Node silently drops headers after the 1,000th. The limit on their total size is enough.
  request.maxHeadersCount = 0
  return request
}

/** Returns whether the connection starts with TLS, to the origin or to its proxy. */
const usesTls = ({ secure, proxy }: Origin): boolean => secure || proxy?.secure === true

function requestOptions({ target, method, headers }: Outgoing, pool: ConnectionPool): RequestOptions {
  const { origin } = target
  // Node calls only `addRequest` of an agent. The pool has every property that Node reads.
  const agent = pool as unknown as Agent
  const { proxy, host } = origin
  if (proxy === undefined || origin.secure)
    return { agent, host, method, path: target.path, headers, maxHeaderSize: maxHeaderBytes }
  // A proxy expects the whole URL in the first line of a plain request (RFC 9112 section 3.2.2).
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
  // A distant server may need more than Node's 250 ms, after which Node tries the next address.
  autoSelectFamilyAttemptTimeout: 2_000,
}

type Connector = (done: OnConnected) => Socket | undefined

const plainConnector = ({ host, port, proxy }: Origin): Connector => {
  const server = proxy ?? { host, port }
  return () => connectTcp({ ...tcpOptions, ...resolution(server.host), host: server.host, port: server.port })
}

interface Identity {
  readonly verifyTls: boolean
  readonly certificate: ClientCertificate | undefined
}

/** Connects with TLS to the origin, directly or through a tunnel. For a plain origin, connects to its proxy. */
function tlsConnector(side: TlsSide, origin: Origin, { verifyTls, certificate }: Identity): Connector {
  const { tls, tunnels } = side
  const { proxy, secure, host, port } = origin
  let session: Buffer | undefined
  const handshake = (options: ConnectionOptions): Socket => {
    const socket = tls.connect({ ...options, ALPNProtocols: ["http/1.1"], session })
    socket.on("session", (fresh) => (session = fresh))
    // The server may have refused the resumed session, so start the next connection without it.
    socket.on("error", () => (session = undefined))
    return socket
  }
  if (!secure && proxy !== undefined)
    return () =>
      handshake({
        ...tcpOptions,
        ...resolution(proxy.host),
        host: proxy.host,
        port: proxy.port,
        rejectUnauthorized: true,
      })
  const context = certificate === undefined ? {} : secureContext(tls, origin.key, certificate)
  if (context instanceof Error)
    return (done) => {
      // The caller doesn't expect the result yet.
      queueMicrotask(() => done(context))
      return undefined
    }
  // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
  const identity = { ...context, servername: origin.serverName, rejectUnauthorized: verifyTls }
  if (proxy === undefined)
    return () => handshake({ ...tcpOptions, ...resolution(host), ...identity, host, port })
  return (done) => {
    tunnels.open(proxy, origin, (result) => {
      if (result instanceof Error) done(result)
      else done(handshake({ ...identity, host, socket: result }))
    })
    return undefined
  }
}
