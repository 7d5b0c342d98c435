// A minimal chain with node:http: logs in, then creates, reads, updates and deletes with the token. Arguments: base
// URL, count.

import { Agent, request } from "node:http"

const [, , base, count] = process.argv
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

const send = (method, path, { token, body } = {}) =>
  new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(text === undefined
        ? {}
        : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
    }
    const sent = request(new URL(path, base), { agent, method, headers }, (response) => {
      const chunks = []
      response.on("data", (chunk) => chunks.push(chunk))
      response.on("end", () => {
        const answer = Buffer.concat(chunks).toString("utf8")
        resolve({ status: response.statusCode, body: answer === "" ? undefined : JSON.parse(answer) })
      })
      response.on("error", reject)
    })
    sent.on("error", reject)
    sent.end(text)
  })

for (let at = 0; at < Number(count); at++) {
  const login = await send("POST", "/login", { body: { user: "ann", password: "correct horse" } })
  const { token } = login.body
  const created = await send("POST", "/things", { token, body: { name: "tea", count: at } })
  const path = `/things/${created.body.id}`
  const read = await send("GET", path, { token })
  const updated = await send("PUT", path, { token, body: { name: "tea", count: 0 } })
  const deleted = await send("DELETE", path, { token })
  const statuses = [login, created, read, updated, deleted].map(({ status }) => status)
  if (statuses.join() !== "200,201,200,200,204") throw new Error(`the server responded ${statuses.join()}`)
}
agent.destroy()
