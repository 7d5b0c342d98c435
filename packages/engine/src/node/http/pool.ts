// Keeps connections to one origin, as Node's `Agent` does. Reuses a connection only for a limited time, and only if no
// unexpected data arrived on it.

import type { ClientRequest } from "node:http"
import type { Socket } from "node:net"
import type { Origin } from "./origin.ts"
import { monotonicMs } from "../monotonic.ts"

export type OnConnected = (result: Socket | Error) => void

/** A connection, the number of bytes received before its current request, and the time when it last became idle. */
interface Connection {
  readonly socket: Socket
  readonly pool: ConnectionPool
  isIdle: boolean
  idleSince: number
  bytesBefore: number
}

const connections = new WeakMap<Socket, Connection>()

/** Returns the number of bytes received on a connection before its current request. */
export const bytesBefore = (socket: Socket): number => connections.get(socket)?.bytesBefore ?? 0

/** Limits the connections of all pools together. Pools that wait for one form a queue. */
export class ConnectionBudget {
  readonly #limit: number
  readonly #open = new Set<Connection>()
  /** The number of connections without a socket yet. */
  #pending = 0
  #waiting: { readonly pool: ConnectionPool; readonly request: ClientRequest }[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Returns whether another connection may be opened. Closes an idle connection if necessary. */
  hasRoom(): boolean {
    if (this.#open.size + this.#pending < this.#limit) return true
    for (const connection of this.#open) {
      if (!connection.isIdle) continue
      connection.pool.discard(connection)
      return true
    }
    return false
  }

  begin(): void {
    this.#pending++
  }

  end(): void {
    this.#pending--
  }

  add(connection: Connection): void {
    this.#open.add(connection)
  }

  remove(connection: Connection): void {
    this.#open.delete(connection)
  }

  wait(pool: ConnectionPool, request: ClientRequest): void {
    this.#waiting.push({ pool, request })
  }

  /** Serves waiting requests in the order of their arrival. */
  serveNext(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (!next.request.destroyed && !next.pool.serve(next.request)) return
      this.#waiting.shift()
    }
  }

  close(): void {
    this.#waiting = []
    for (const { socket } of this.#open) socket.destroy()
  }
}

/** The agent that Node's client uses for one origin. */
export class ConnectionPool {
  // Node's client reads this. Without it, each request would ask the server to close the connection.
  readonly keepAlive = true
  readonly #budget: ConnectionBudget
  readonly #origin: Origin
  readonly #connect: (done: OnConnected) => Socket | undefined
  /** The idle connections. The last one was used most recently and is reused first. */
  readonly #idle: Connection[] = []

  constructor(budget: ConnectionBudget, origin: Origin, connect: (done: OnConnected) => Socket | undefined) {
    this.#budget = budget
    this.#origin = origin
    this.#connect = connect
  }

  /** Called by Node's client for each request. */
  addRequest(request: ClientRequest): void {
    if (!this.serve(request)) this.#budget.wait(this, request)
  }

  /** Gives a connection to a request. Returns false if the request has to wait. */
  serve(request: ClientRequest): boolean {
    const kept = this.#takeIdle()
    if (kept !== undefined) {
      kept.isIdle = false
      request.reusedSocket = true
      kept.socket.ref()
      request.onSocket(kept.socket)
      return true
    }
    if (!this.#budget.hasRoom()) return false
    this.#budget.begin()
    let isPending = true
    const connected: OnConnected = (result) => {
      if (!isPending) return
      isPending = false
      this.#budget.end()
      if (result instanceof Error) {
        request.emit("error", result)
        this.#budget.serveNext()
      } else {
        this.#keep(result)
        request.onSocket(result)
      }
    }
    const socket = this.#connect(connected)
    if (socket !== undefined) connected(socket)
    return true
  }

  dropIdle(): void {
    for (const connection of this.#idle.slice()) this.discard(connection)
  }

  discard(connection: Connection): void {
    connection.isIdle = false
    const at = this.#idle.indexOf(connection)
    if (at !== -1) this.#idle.splice(at, 1)
    connection.socket.destroy()
    this.#budget.remove(connection)
  }

  /**
   * Returns the most recently used connection that is safe to use. A server may be closing one that was idle for long.
   * Surplus data of an earlier response would look like the next response.
   */
  #takeIdle(): Connection | undefined {
    for (let last = this.#idle.pop(); last !== undefined; last = this.#idle.pop()) {
      const { socket } = last
      if (
        socket.writable &&
        socket.bytesRead === last.bytesBefore &&
        monotonicMs() - last.idleSince <= this.#origin.idleLimitMs
      )
        return last
      this.discard(last)
    }
    return undefined
  }

  #keep(socket: Socket): void {
    const connection: Connection = { socket, pool: this, isIdle: false, idleSince: 0, bytesBefore: 0 }
    connections.set(socket, connection)
    this.#budget.add(connection)
    // Node's client emits `free` after a response, when the connection can be reused.
    socket.on("free", () => this.#freed(connection))
    socket.on("close", () => {
      this.discard(connection)
      this.#budget.serveNext()
    })
    // No request listens to the errors of an idle connection. The connection is only removed.
    socket.on("error", () => undefined)
  }

  #freed(connection: Connection): void {
    const { socket } = connection
    if (!socket.writable) return this.discard(connection)
    connection.isIdle = true
    connection.idleSince = monotonicMs()
    connection.bytesBefore = socket.bytesRead
    socket.unref()
    this.#idle.push(connection)
    this.#budget.serveNext()
  }
}
