// Limits connections. Closes those without a session first, so that idle ones don't keep anyone out.

import type { Server } from "node:http"
import type { Socket } from "node:net"

export type Connections = ReturnType<typeof limitConnections>

/** Beyond `max`, closes the oldest connection that isn't protected, or the new one if all are. */
export function limitConnections(server: Server, max: number) {
  // The number of session requests on each connection, in the order the connections were opened.
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
    /** Protects a connection that is answering a session's request, until the returned function is called. */
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
