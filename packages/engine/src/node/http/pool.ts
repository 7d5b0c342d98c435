// Keeps connections to one origin, as Node's `Agent` does. Reuses a connection only for a limited time, and only if no
// unexpected data arrived on it.

import type { ClientRequest } from "node:http"
import type { Socket } from "node:net"
import type { Origin } from "./origin.ts"
import { isIdempotent } from "../../run/idempotent.ts"
import { monotonicMs } from "../monotonic.ts"
import { holdWriteErrors } from "./write-errors.ts"

export type OnConnected = (result: Socket | Error) => void

interface Connection {
  readonly socket: Socket
  readonly pool: ConnectionPool
  isIdle: boolean
  /** The time of the end of the last response. Undefined while a request uses the connection. */
  freeSince: number | undefined
  /** The number of bytes received before the current request. */
  bytesBefore: number
}

const connections = new WeakMap<Socket, Connection>()

/** Returns the number of bytes received on a connection before its current request. */
export const bytesBefore = (socket: Socket): number => connections.get(socket)?.bytesBefore ?? 0

/**
 * Calls back after the event loop has read everything that had arrived, such as the end of a connection. The loop reads
 * before it calls back, but a callback that is set while it reads comes too early. A second one doesn't.
 */
const afterReads = (callback: () => void): void => void setImmediate(() => void setImmediate(callback))

/** Calls back as soon as the server has closed the connection, or can be expected not to. */
function afterEarlyClose(connection: Connection, callback: () => void): void {
  const { socket } = connection
  const end = (): void => {
    clearTimeout(timer)
    socket.off("close", end)
    afterReads(callback)
  }
  // From version 24 on, Node warns about negative times.
  const timer = setTimeout(end, Math.max(EARLY_CLOSE_MS - freeForMs(connection), 1))
  socket.on("close", end)
}

/** Returns the time since the end of the last response, or infinity while a request uses the connection. */
const freeForMs = ({ freeSince = -Infinity }: Connection): number => monotonicMs() - freeSince

/** The time within which a server that closes a connection after each response does so, even if it is busy. */
const EARLY_CLOSE_MS = 10

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
  /** True if a connection has served a second request, and the server has closed none since. */
  #isKept = false
  /** True if the server has ever closed a connection earlier than announced. */
  #hasClosedEarly = false

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
    const isRepeatable = isIdempotent(request.method)
    const kept = isRepeatable || !this.#hasClosedEarly ? this.#takeIdle() : undefined
    if (kept !== undefined) {
      kept.isIdle = false
      kept.socket.ref()
      this.#whenProven(kept, isRepeatable, () => this.#reuse(kept, request))
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

  /**
   * Calls back when the server can be expected to have closed the connection, if it closes one after each response. A
   * request that must not be sent twice waits for that once. Others wait only if the server has done so before.
   */
  #whenProven(kept: Connection, isRepeatable: boolean, callback: () => void): void {
    if (this.#isKept && isRepeatable) callback()
    else if (this.#isKept || (isRepeatable && !this.#hasClosedEarly)) afterReads(callback)
    else afterEarlyClose(kept, callback)
  }

  /** Sends a request on a kept connection, unless the server has closed it. Nothing has been sent on it then. */
  #reuse(kept: Connection, request: ClientRequest): void {
    if (!this.#isUsable(kept)) {
      this.discard(kept)
      if (!request.destroyed) this.addRequest(request)
    } else if (request.destroyed) this.#keepIdle(kept)
    else {
      kept.freeSince = undefined
      request.reusedSocket = true
      request.onSocket(kept.socket)
    }
  }

  /** Called if the server closed a kept connection instead of responding. It may have closed the others too. */
  distrust(): void {
    this.#closedEarly()
    for (const connection of this.#idle.slice()) this.discard(connection)
  }

  #closedEarly(): void {
    this.#isKept = false
    this.#hasClosedEarly = true
  }

  discard(connection: Connection): void {
    connection.isIdle = false
    connection.freeSince = undefined
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
      if (this.#isUsable(last)) return last
      this.discard(last)
    }
    return undefined
  }

  #isUsable(connection: Connection): boolean {
    const { socket, bytesBefore: before } = connection
    return socket.writable && socket.bytesRead === before && freeForMs(connection) <= this.#origin.idleLimitMs
  }

  #keep(socket: Socket): void {
    const connection: Connection = { socket, pool: this, isIdle: false, freeSince: undefined, bytesBefore: 0 }
    connections.set(socket, connection)
    this.#budget.add(connection)
    holdWriteErrors(socket)
    // Node's client emits `free` after a response, when the connection can be reused.
    socket.on("free", () => this.#freed(connection))
    socket.on("close", () => {
      if (freeForMs(connection) <= this.#origin.idleLimitMs) this.#closedEarly()
      this.discard(connection)
      this.#budget.serveNext()
    })
    // No request listens to the errors of an idle connection. The connection is only removed.
    socket.on("error", () => undefined)
  }

  #freed(connection: Connection): void {
    const { socket } = connection
    if (!socket.writable) return this.discard(connection)
    if (connection.bytesBefore > 0) this.#isKept = true
    connection.freeSince = monotonicMs()
    connection.bytesBefore = socket.bytesRead
    this.#keepIdle(connection)
  }

  #keepIdle(connection: Connection): void {
    connection.isIdle = true
    connection.socket.unref()
    this.#idle.push(connection)
    this.#budget.serveNext()
  }
}
