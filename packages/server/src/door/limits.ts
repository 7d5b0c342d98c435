// How much the server takes of anybody, and for how long.

export interface Limits {
  /** Bytes of a request's body. */
  readonly bodyBytes: number
  /** Bytes of a body before a session is there. */
  readonly openingBytes: number
  readonly connections: number
  readonly headersTimeoutMs: number
  /** For a whole request, its body included. */
  readonly requestTimeoutMs: number
  /** How often the stream of events shows that it is there. */
  readonly heartbeatMs: number
  /** Bytes of events that a page may leave unread. */
  readonly unreadBytes: number
  /** Streams of events at the same time. A browser has six connections for all of its windows, and calls need some of them. */
  readonly streams: number
}

export const defaultLimits: Limits = {
  bodyBytes: 10 * 1024 * 1024,
  openingBytes: 1024,
  connections: 64,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  heartbeatMs: 15_000,
  unreadBytes: 1024 * 1024,
  streams: 4,
}
