// The body of a request, up to a limit.

import type { IncomingMessage } from "node:http"

/** All of the body; `too-large` as soon as it is certain to pass the limit, and `gone` where the other side went away. */
export async function readBody(
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
