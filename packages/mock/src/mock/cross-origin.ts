// Allows pages of any origin to read the answers of a mock (the CORS protocol of the Fetch Standard).

import type { Headers } from "@callsheet/format"
import { headerOf, type Incoming } from "./incoming.ts"
import type { Answer } from "./answer.ts"

/** Returns the headers that let a page read an answer. */
export function crossOriginHeaders(incoming: Incoming): Headers {
  const origin = headerOf(incoming, "origin")
  if (origin === undefined) return {}
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    "access-control-expose-headers": "*",
    vary: "origin",
  }
}

/** Answers the question whether a page may send a request. Undefined for any other request. */
export function answerPreflight(incoming: Incoming): Answer | undefined {
  const method = headerOf(incoming, "access-control-request-method")
  if (incoming.method !== "OPTIONS" || method === undefined) return undefined
  const headers = headerOf(incoming, "access-control-request-headers")
  return {
    status: 204,
    headers: {
      "access-control-allow-methods": method,
      ...(headers === undefined ? {} : { "access-control-allow-headers": headers }),
      "access-control-max-age": "600",
    },
    bytes: Buffer.alloc(0),
    body: undefined,
  }
}
