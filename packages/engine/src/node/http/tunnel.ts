// Opens tunnels through a proxy: CONNECT (RFC 9110 section 9.3.6), then TLS to the server.

import type { ClientRequest } from "node:http"
import { connect as connectTcp, isIPv6, type Socket } from "node:net"
import type { connect } from "node:tls"
import type { Proxy } from "./proxy.ts"
import { resolution } from "./loopback.ts"
import { sendHttp } from "./send-http.ts"

export interface Tunnels {
  /** Calls `done` with the open connection, or with the reason why it can't be opened. */
  readonly open: (
    proxy: Proxy,
    server: { readonly host: string; readonly port: number },
    done: (result: Socket | Error) => void,
  ) => void
  readonly close: () => void
}

/** Thrown if a proxy answers CONNECT but doesn't open a tunnel. */
export class ProxyRefusal extends Error {
  override readonly name = "ProxyRefusal"
  readonly status: number
  /** The header with the schemes by which the proxy wants its clients to authenticate. */
  readonly challenge: string | undefined

  constructor(status: number, challenge: string | undefined) {
    super("The proxy does not open a tunnel.")
    this.status = status
    this.challenge = challenge
  }
}

/** The maximum wait for a proxy that never answers, because it occupies a connection. Most deadlines are earlier. */
const MAX_WAIT_MS = 60_000

/** Creates tunnels. The CONNECT request carries the proxy's credentials, which the server never sees. */
export function createTunnels(connectTls: typeof connect): Tunnels {
  const opening = new Set<ClientRequest>()
  return {
    open: (proxy, server, done) => {
      const place = `${isIPv6(server.host) ? `[${server.host}]` : server.host}:${server.port}`
      const to = { ...resolution(proxy.host), host: proxy.host, port: proxy.port }
      const request = sendHttp({
        method: "CONNECT",
        path: place,
        headers: {
          host: place,
          ...(proxy.authorization === undefined ? {} : { "proxy-authorization": proxy.authorization }),
        },
        createConnection: () =>
          proxy.secure
            ? connectTls({ ...to, rejectUnauthorized: true, ALPNProtocols: ["http/1.1"] })
            : connectTcp({ ...to, noDelay: true }),
      })
      opening.add(request)
      request.setTimeout(MAX_WAIT_MS, () => request.destroy())
      request.once("close", () => opening.delete(request))
      request.once("error", done)
      request.once("connect", (response, socket: Socket) => {
        socket.setTimeout(0)
        const status = response.statusCode ?? 0
        if (status >= 200 && status < 300) return done(socket)
        socket.destroy()
        done(new ProxyRefusal(status, response.headers["proxy-authenticate"]))
      })
      request.end()
    },
    close: () => {
      for (const request of opening) request.destroy()
    },
  }
}
