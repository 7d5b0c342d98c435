// Starts the sample API on loopback: a shop and its payment provider, each over HTTP and TLS.

import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { AddressInfo } from "node:net"
import { certificate } from "./certificate.ts"
import { createListener } from "./serve-document.ts"
import { Payments } from "./payments.ts"
import { Shop } from "./shop.ts"

export type SampleApi = Awaited<ReturnType<typeof startSampleApi>>

/**
 * Starts a sample API with its own state. The shop listens on `port`, the other three servers on the next ports. With
 * 0, the system chooses. `read` reads the documents of the sample project, which the servers implement.
 *
 * If a port is in use, rejects with the system's error (`EADDRINUSE`) and closes all servers.
 *
 * @example const api = await startSampleApi()
 */
export async function startSampleApi({
  port = 0,
  read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), "utf8"),
} = {}) {
  const shop = new Shop()
  const apis = [shop, new Payments(shop)]
  const listeners = apis.map((api) => createListener(api, read(api.document)))
  const servers = [
    ...listeners.map((listener) => createServer(listener)),
    ...listeners.map((listener) => createTlsServer(certificate, listener)),
  ]
  /** Stops all servers and closes their connections. */
  const close = async (): Promise<void> => {
    for (const server of servers.filter(({ listening }) => listening)) {
      const closed = once(server.close(), "close")
      server.closeAllConnections()
      await closed
    }
  }
  try {
    const urls: string[] = []
    for (const [index, server] of servers.entries()) {
      server.listen(port === 0 ? 0 : port + index, "127.0.0.1")
      await once(server, "listening")
      const { port: taken } = server.address() as AddressInfo
      urls.push(`${index < 2 ? "http" : "https"}://127.0.0.1:${taken}`)
    }
    const [shopUrl = "", paymentsUrl = "", shopTlsUrl = "", paymentsTlsUrl = ""] = urls
    return { shopUrl, paymentsUrl, shopTlsUrl, paymentsTlsUrl, close }
  } catch (error) {
    await close()
    throw error
  }
}
