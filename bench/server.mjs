// The server for measurements. It is a separate process, so that its work isn't measured. When it listens, it sends `{
// port }` over IPC. It answers each message with `{ requests }`, the number of requests since the last message.

import { createServer } from "node:http"
import { contractHeaders, contractPath, documentedResponses } from "./contracts.mjs"
import { bigBodyBytes } from "./projects.mjs"

const item = Buffer.from(
  JSON.stringify({
    id: 7,
    sku: "tea-250",
    name: "Green tea",
    price: 4.5,
    tags: ["tea", "green"],
    stock: { count: 12 },
  }),
)
const documented = new Map(
  Object.entries(documentedResponses).map(([name, { body }]) => [
    contractPath(name),
    Buffer.from(JSON.stringify(body)),
  ]),
)
const token = "bench-token-0123456789abcdef"
const thing = { id: 17, name: "tea", count: 1 }
/** The routes of the chain, by method and first segment. */
const chain = {
  "POST login": { status: 200, body: { token }, isOpen: true },
  "POST things": { status: 201, body: thing },
  "GET things": { status: 200, body: thing },
  "PUT things": { status: 200, body: thing },
  "DELETE things": { status: 204 },
}
let big
let requests = 0

const server = createServer((request, response) => {
  requests++
  request.resume()
  const step = chain[`${request.method} ${request.url.split("/")[1]}`]
  if (step !== undefined) return answerStep(request, response, step)
  const contract = documented.get(request.url)
  const body = request.url === "/big" ? (big ??= bigBody()) : (contract ?? item)
  const headers = { "content-type": "application/json", "content-length": body.length }
  response.writeHead(200, contract === undefined ? headers : { ...headers, ...contractHeaders })
  response.end(body)
})
server.keepAliveTimeout = 60_000
server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }))

process.on("message", () => {
  process.send({ requests })
  requests = 0
})
process.on("disconnect", () => process.exit(0))

function answerStep(request, response, { status, body, isOpen = false }) {
  if (!isOpen && request.headers.authorization !== `Bearer ${token}`) {
    response.writeHead(401).end()
    return
  }
  const text = body === undefined ? "" : JSON.stringify(body)
  const headers =
    body === undefined ? {} : { "content-type": "application/json", "content-length": text.length }
  response.writeHead(status, headers).end(text)
}

function bigBody() {
  const rows = []
  let size = 0
  for (let id = 0; size < bigBodyBytes - 300; id++) {
    const row = `{"id":${id},"name":"customer ${id}","email":"customer.${id}@shop.test","score":${id % 97}.25,"active":true,"tags":["a","b"]}`
    size += row.length + 1
    rows.push(row)
  }
  return Buffer.from(`{"kind":"customers","items":[${rows.join(",")}]}`)
}
