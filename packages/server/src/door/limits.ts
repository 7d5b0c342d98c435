// Limits on sizes and times for every client.

export interface Limits {
  readonly bodyBytes: number
  /** Maximum bytes of a body before a session exists. */
  readonly openingBytes: number
  readonly connections: number
  readonly headersTimeoutMs: number
  /** Includes the body. */
  readonly requestTimeoutMs: number
  readonly heartbeatMs: number
  readonly unreadBytes: number
  /** Maximum open event streams. A browser has six connections for all its windows, and calls need some of them. */
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
