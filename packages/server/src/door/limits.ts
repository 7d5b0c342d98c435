// Limits on sizes and times for every client.

export type Limits = Readonly<typeof defaultLimits>

export const defaultLimits = {
  bodyBytes: 10 * 1024 * 1024,
  /** Maximum bytes of a body before a session exists. */
  openingBytes: 1024,
  connections: 64,
  headersTimeoutMs: 10_000,
  /** Includes the body. */
  requestTimeoutMs: 30_000,
  heartbeatMs: 15_000,
  unreadBytes: 1024 * 1024,
  /** Maximum open event streams. A browser has six connections for all its windows, and calls need some of them. */
  streams: 4,
}
