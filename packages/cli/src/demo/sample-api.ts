// The sample API: two real HTTP servers with state on loopback, a shop and a payment provider that knows its orders.

import { createServer, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { paymentRoutes } from "./payment-routes.ts"
import { PaymentProvider } from "./payment-state.ts"
import { createListener } from "./service.ts"
import { shopRoutes } from "./shop-routes.ts"
import { Shop } from "./shop-state.ts"

export interface SampleApiOptions {
  /** The shop's port; the payment provider and the two TLS servers have the next ones. 0, the default, lets the system choose. */
  readonly port?: number
  /** Serves both over TLS too, with a certificate that nobody vouches for. */
  readonly tls?: boolean
}

export interface SampleApi {
  readonly shopUrl: string
  readonly paymentsUrl: string
  /** Present where `tls` was asked for. */
  readonly shopTlsUrl?: string
  readonly paymentsTlsUrl?: string
  /** Stops all servers and cuts their connections. */
  readonly close: () => Promise<void>
}

const HOST = "127.0.0.1"

/**
 * Starts the sample API with a state of its own.
 *
 * Rejects with the system's error where a port is taken (`EADDRINUSE`); nothing is left open then.
 *
 * @example const api = await startSampleApi()
 */
export async function startSampleApi(options: SampleApiOptions = {}): Promise<SampleApi> {
  const { port = 0, tls = false } = options
  const shop = new Shop()
  const listeners = [
    createListener(shopRoutes(shop)),
    createListener(paymentRoutes(new PaymentProvider(shop))),
  ]
  const plain = listeners.map((listener) => createServer(listener))
  const encrypted = tls ? await createTlsServers(listeners) : []
  const servers = [...plain, ...encrypted]
  try {
    const urls: string[] = []
    for (const [index, server] of servers.entries()) {
      const chosen = await listen(server, port === 0 ? 0 : port + index)
      urls.push(`${index > 1 ? "https" : "http"}://${HOST}:${chosen}`)
    }
    const [shopUrl = "", paymentsUrl = "", shopTlsUrl, paymentsTlsUrl] = urls
    return {
      shopUrl,
      paymentsUrl,
      ...(shopTlsUrl === undefined ? {} : { shopTlsUrl }),
      ...(paymentsTlsUrl === undefined ? {} : { paymentsTlsUrl }),
      close: () => closeAll(servers),
    }
  } catch (error) {
    await closeAll(servers)
    throw error
  }
}

async function createTlsServers(listeners: readonly RequestListener[]): Promise<readonly Server[]> {
  const [{ createServer: createTlsServer }, { makeCertificate }] = await Promise.all([
    import("node:https"),
    import("./certificate.ts"),
  ])
  const { key, cert } = makeCertificate()
  return listeners.map((listener) => createTlsServer({ key, cert }, listener))
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, HOST, () => {
      server.off("error", reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

async function closeAll(servers: readonly Server[]): Promise<void> {
  await Promise.all(
    servers.map(
      (server) =>
        new Promise<void>((resolve) => {
          server.close(() => resolve())
          server.closeAllConnections()
        }),
    ),
  )
}
