// Tunnels through a proxy: CONNECT (RFC 9110 section 9.3.6), then the caller's own TLS to the server.

import { request as requestPlain, type ClientRequest } from "node:http"
import { isIPv6, type Socket } from "node:net"
import type { Proxy } from "./proxy.ts"

export interface Tunnels {
  readonly open: (
    via: { readonly proxy: Proxy; readonly timeoutMs: number },
    to: { readonly host?: string | null | undefined; readonly port?: number | string | null | undefined },
    done: (error: Error | undefined, socket?: Socket) => void,
  ) => void
  /** Ends what is still being opened. */
  readonly close: () => void
}

/** A proxy that does not open a tunnel. */
export class ProxyRefusal extends Error {
  override readonly name = "ProxyRefusal"
  readonly status: number

  constructor(status: number) {
    super("The proxy does not open a tunnel.")
    this.status = status
  }
}

/** Makes tunnels. The proxy's credentials go into the CONNECT request, which the server never sees. */
export function createTunnels(requestTls: typeof import("node:https").request): Tunnels {
  const opening = new Set<ClientRequest>()
  return {
    open: ({ proxy, timeoutMs }, to, done) => {
      const host = to.host ?? ""
      const place = `${isIPv6(host) ? `[${host}]` : host}:${to.port}`
      const headers = ["host", place]
      if (proxy.authorization !== undefined) headers.push("proxy-authorization", proxy.authorization)
      const options = {
        host: proxy.host,
        port: proxy.port,
        method: "CONNECT",
        path: place,
        headers: headers as never,
        agent: false as const,
      }
      const request = proxy.secure
        ? requestTls({ ...options, rejectUnauthorized: true })
        : requestPlain(options)
      opening.add(request)
      request.setTimeout(Math.min(timeoutMs, 2 ** 31 - 1), () => request.destroy())
      request.once("close", () => opening.delete(request))
      request.once("error", done)
      request.once("connect", (response, socket: Socket) => {
        socket.setTimeout(0)
        const status = response.statusCode ?? 0
        if (status >= 200 && status < 300) {
          done(undefined, socket)
          return
        }
        socket.destroy()
        done(new ProxyRefusal(status))
      })
      request.end()
    },
    close: () => {
      for (const request of opening) request.destroy()
    },
  }
}
