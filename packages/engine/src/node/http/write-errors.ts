// Holds back errors of writing, because a server may respond and close the connection before it has read the request.

import type { Socket } from "node:net"

type WriteCallback = (error?: Error | null) => void

const heldErrors = new WeakMap<Socket, NodeJS.ErrnoException>()

const lostPeer: ReadonlySet<string | undefined> = new Set(["EPIPE", "ECONNRESET", "ECONNABORTED"])

/**
 * Lets a connection be read to its end after a write failed. Node would close it at once, and lose a response that has
 * already arrived. Reading then ends by itself, because the connection is dead.
 */
export function holdWriteErrors(socket: Socket): void {
  const hold =
    (callback: WriteCallback): WriteCallback =>
    (error) => {
      const failure: NodeJS.ErrnoException | undefined = error ?? undefined
      if (failure !== undefined && lostPeer.has(failure.code)) heldErrors.set(socket, failure)
      else callback(error)
    }
  const write = socket._write.bind(socket)
  const writeAll = socket._writev?.bind(socket)
  socket._write = (chunk, encoding, callback) => write(chunk, encoding, hold(callback))
  if (writeAll !== undefined) socket._writev = (chunks, callback) => writeAll(chunks, hold(callback))
}

/** Returns the error with which writing to a connection failed. */
export const heldWriteError = (socket: Socket | null): NodeJS.ErrnoException | undefined =>
  socket === null ? undefined : heldErrors.get(socket)
