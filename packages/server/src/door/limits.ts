// Size and time limits that apply to every client.

import { MAX_BODY_BYTES, MAX_IMPORT_BYTES } from "../calls/index.ts"

export type Limits = Readonly<typeof defaultLimits>

export const defaultLimits = {
  bodyBytes: MAX_BODY_BYTES,
  /** The maximum size of an import in bytes. JSON escapes quotes and line ends, so a text may become twice as long. */
  importBytes: 2 * MAX_IMPORT_BYTES,
  /** The maximum size of a body in bytes without a session. */
  openingBytes: 1024,
  connections: 64,
  headersTimeoutMs: 10_000,
  /** The time limit for a request with its body. */
  requestTimeoutMs: 30_000,
  heartbeatMs: 15_000,
  unreadBytes: 1024 * 1024,
  /**
   * The maximum number of event streams. All windows of a browser share six connections, and calls need some of them.
   */
  streams: 4,
}
