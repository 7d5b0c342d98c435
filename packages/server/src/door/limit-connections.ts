// At most so many connections: who has shown no session makes way for who comes next, so that idle ones keep nobody out.

import type { Server } from "node:http"
import type { Socket } from "node:net"

export type Connections = ReturnType<typeof limitConnections>

/** Closes the oldest connection that nobody holds whenever there are more than `most`; the new one where all are held. */
export function limitConnections(server: Server, most: number) {
  // In the order in which they came; how many requests hold each.
  const holds = new Map<Socket, number>()
  server.on("connection", (socket: Socket) => {
    if (holds.size >= most) {
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
    /** Says that a request of a session is answered on this connection, until the function that it returns is called. */
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
