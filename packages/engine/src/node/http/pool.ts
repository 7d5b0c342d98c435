// Kept connections to one origin, behind the interface that Node's client has for an agent. A connection is trusted with
// another request only while nothing unasked-for came on it, and only for a while.

import type { ClientRequest } from "node:http"
import type { Socket } from "node:net"
import type { Origin } from "./origin.ts"

export type OnConnected = (result: Socket | Error) => void

/** What a connection had received when it last became idle, and when that was. */
interface Connection {
  readonly socket: Socket
  readonly pool: ConnectionPool
  isIdle: boolean
  idleSince: number
  bytesBefore: number
}

const connections = new WeakMap<Socket, Connection>()

/** Bytes that came on a connection before its present request. */
export const bytesBefore = (socket: Socket): number => connections.get(socket)?.bytesBefore ?? 0

/** The connections of all pools: at most so many, and who waits for one. */
export class ConnectionBudget {
  readonly #limit: number
  readonly #open = new Set<Connection>()
  /** Connections that are still being made and are no sockets yet. */
  #pending = 0
  #waiting: { readonly pool: ConnectionPool; readonly request: ClientRequest }[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Whether one more may be opened; closes an idle one where that makes the room. */
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

  /** First come, first served. */
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

/** What Node's client calls its agent. */
export class ConnectionPool {
  // Read by Node's client, which else would ask for the connection to be closed.
  readonly keepAlive = true
  readonly #budget: ConnectionBudget
  readonly #origin: Origin
  readonly #connect: (done: OnConnected) => Socket | undefined
  /** The last one was used last, and is used next. */
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

  /** Gives a request its connection; false where it must wait for one. */
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
   * The idle connection that was used last, if it can be trusted: not idle for so long that the server may be closing
   * it, and without surplus data of an earlier response, which would pass for the answer to this request.
   */
  #takeIdle(): Connection | undefined {
    for (let last = this.#idle.pop(); last !== undefined; last = this.#idle.pop()) {
      const { socket } = last
      if (
        socket.writable &&
        socket.bytesRead === last.bytesBefore &&
        performance.now() - last.idleSince <= this.#origin.idleLimitMs
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
    // Node's client emits it when a response has ended and the connection can be used again.
    socket.on("free", () => this.#freed(connection))
    socket.on("close", () => {
      this.discard(connection)
      this.#budget.serveNext()
    })
    // While no request listens: a connection that breaks when idle only has to go.
    socket.on("error", () => undefined)
  }

  #freed(connection: Connection): void {
    const { socket } = connection
    if (!socket.writable) return this.discard(connection)
    connection.isIdle = true
    connection.idleSince = performance.now()
    connection.bytesBefore = socket.bytesRead
    socket.unref()
    this.#idle.push(connection)
    this.#budget.serveNext()
  }
}
