// Starts a server on an address, and stops it.

import type { Server } from "node:http"
import { CallsheetError, ownOf } from "@callsheet/format"
import { messages } from "../../messages.ts"

export const LOOPBACK = "127.0.0.1"

/** The connections that the system keeps until the server accepts them. Node's default is 511. */
const BACKLOG = 4096

/** Starts listening. Returns the port, which is a free one if `port` is 0. Throws `port-unusable`. */
export async function listen(server: Server, address: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(unusable(error, address, port)))
    server.listen({ host: address, port, ipv6Only: true, backlog: BACKLOG }, resolve)
  })
  const bound = server.address()
  if (bound === null || typeof bound === "string") throw new Error("the server is not listening on a port")
  return bound.port
}

function unusable({ code }: NodeJS.ErrnoException, address: string, port: number): CallsheetError {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: "another program listens there",
    EACCES: "this user isn't allowed to listen there",
    EADDRNOTAVAIL: "this machine does not have that address",
  }
  const reason = ownOf(reasons, code ?? "") ?? `the system says ${code ?? "no more"}`
  return new CallsheetError(messages["port-unusable"].unusable(address, port, reason))
}

/** Stops a server and closes its connections. */
export async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
