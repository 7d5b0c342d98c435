// The minimal loop with undici's `request`, for comparison. Arguments: URL, count, concurrency.

import { Agent, request } from "undici"

const [, , url, count, concurrency] = process.argv
const dispatcher = new Agent({ connections: Number(concurrency), pipelining: 1 })

let left = Number(count)
async function work() {
  while (left-- > 0) {
    const { statusCode, body: stream } = await request(url, { dispatcher })
    const body = await stream.json()
    const passes =
      body.kind === "customers" ? body.items[9].id === 9 : body.sku === "tea-250" && body.stock.count > 0
    if (statusCode !== 200 || !passes) throw new Error("the server responded something else")
  }
}
await Promise.all(Array.from({ length: Number(concurrency) }, work))
await dispatcher.close()
