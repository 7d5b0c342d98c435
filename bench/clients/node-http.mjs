// A minimal loop with node:http: GET, JSON.parse, three comparisons. Arguments: URL, count, concurrency.

import { Agent, request } from "node:http"

const [, , url, count, concurrency] = process.argv
const agent = new Agent({ keepAlive: true, maxSockets: Number(concurrency) })
const options = new URL(url)

const get = () =>
  new Promise((resolve, reject) => {
    const sent = request(options, { agent }, (response) => {
      const chunks = []
      response.on("data", (chunk) => chunks.push(chunk))
      response.on("end", () =>
        resolve({ status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString("utf8")) }),
      )
      response.on("error", reject)
    })
    sent.on("error", reject)
    sent.end()
  })

let left = Number(count)
async function work() {
  while (left-- > 0) {
    const { status, body } = await get()
    const passes =
      body.kind === "customers" ? body.items[9].id === 9 : body.sku === "tea-250" && body.stock.count > 0
    if (status !== 200 || !passes) throw new Error("the server responded something else")
  }
}
await Promise.all(Array.from({ length: Number(concurrency) }, work))
agent.destroy()
