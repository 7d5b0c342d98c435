// Limits the number of connections. Closes those without a session first, so that they keep nobody out.

import type { Server } from "node:http"
import type { Socket } from "node:net"

export type Connections = ReturnType<typeof limitConnections>

/** Above `max`, closes the oldest unprotected connection. If all are protected, closes the new one. */
export function limitConnections(server: Server, max: number) {
  // The number of session requests on each connection. Oldest connections first.
  const holds = new Map<Socket, number>()
  server.on("connection", (socket: Socket) => {
    if (holds.size >= max) {
      const oldest = [...holds].find(([, count]) => count === 0)?.[0]
      if (oldest === undefined) {
        socket.destroy()
        return
      }
      holds.delete(oldest)
      oldest.destroy()
    }
    holds.set(socket, 0)
    socket.on("close", () => holds.delete(socket))
  })
  return {
    /** Protects a connection until the returned function is called. Used while it answers a request of a session. */
    hold: (socket: Socket): (() => void) => {
      const change = (by: number) => {
        const count = holds.get(socket)
        if (count !== undefined) holds.set(socket, count + by)
      }
      change(1)
      return () => change(-1)
    },
  }
}
