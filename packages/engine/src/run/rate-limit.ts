// Explains status 429: when the server accepts requests again (RFC 9110 section 10.2.3).

import type { Headers } from "@callsheet/format"
import { rateLimits } from "../messages.ts"

/** Returns what to do about a status. Undefined unless the server limits the rate of requests. */
export function describeRateLimit(status: unknown, headers: Headers | undefined): string | undefined {
  if (status !== 429) return undefined
  const after = headers?.["retry-after"]
  const isKnown = typeof after === "string" && /^(?:\d{1,9}|[\w,: +-]{1,40})$/.test(after)
  return rateLimits.limited(isKnown ? after : undefined)
}
