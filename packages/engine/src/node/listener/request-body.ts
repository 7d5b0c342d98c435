// Reads the body of a request up to a limit, and the rest of a refused one.

import type { IncomingMessage, ServerResponse } from "node:http"

/** Reads the whole body. Returns `too-large` above the limit, and `gone` if the client disconnects. */
export async function readRequestBody(
  request: IncomingMessage,
  limit: number,
): Promise<Buffer | "too-large" | "gone"> {
  if (Number(request.headers["content-length"] ?? 0) > limit) return "too-large"
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let length = 0
    const take = (chunk: Buffer) => {
      length += chunk.length
      if (length > limit) {
        request.off("data", take)
        resolve("too-large")
      } else chunks.push(chunk)
    }
    request.on("data", take)
    request.on("end", () => resolve(Buffer.concat(chunks)))
    request.on("error", () => resolve("gone"))
    request.on("close", () => resolve("gone"))
  })
}

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
