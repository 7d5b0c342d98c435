// Ends the answer to a request whose body isn't used.

import type { IncomingMessage, ServerResponse } from "node:http"

/**
 * Limits for reading the rest of a refused request. If the connection closes earlier, the client might not get the
 * answer.
 */
const DRAINED_BYTES = 64 * 1024 * 1024
const DRAIN_MS = 2_000

/** Ends a response whose head is written, without using the rest of the request. The head must close the connection. */
export function endWithoutBody(
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  body: string | Buffer,
): void {
  if (request.readableEnded) {
    response.end(body)
    return
  }
  // `end` would close a connection that is still receiving data, so write first.
  response.write(body)
  const late = setTimeout(() => request.destroy(), DRAIN_MS)
  let drained = 0
  request
    .on("data", (chunk: Buffer) => {
      drained += chunk.length
      if (drained > DRAINED_BYTES) request.destroy()
    })
    .on("end", () => response.end())
    .on("close", () => clearTimeout(late))
    .on("error", () => undefined)
    .resume()
}
