// A TLS server on loopback that wants client certificates.

import { once } from "node:events"
import type { RequestListener } from "node:http"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import type { TLSSocket } from "node:tls"
import { onTestFinished } from "vitest"
import { localhost } from "../harness/certificates.ts"

export interface MtlsServer {
  /** `https://localhost:<port>` */
  readonly url: string
  /** The common name of the client's certificate per request, or undefined. */
  readonly clients: readonly (string | undefined)[]
}

/** Starts a server. Its certificate is self-signed, and it accepts the same certificate from clients. */
export async function startMtls(
  isRequired: boolean,
  respond: RequestListener = (_, response) =>
    response.setHeader("content-type", "application/json").end("{}"),
): Promise<MtlsServer> {
  const clients: (string | undefined)[] = []
  const server = createServer(
    { ...localhost, ca: localhost.cert, requestCert: true, rejectUnauthorized: isRequired },
    (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate()
      clients.push((subject as { CN?: string } | undefined)?.CN)
      respond(request, response)
    },
  )
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `https://localhost:${(server.address() as AddressInfo).port}`, clients }
}
