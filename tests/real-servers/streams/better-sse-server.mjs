// Streams of events by better-sse and Express, on the port in PORT. A session begins with comments and `retry`.

import { createSession } from "better-sse"
import express from "express"

const app = express()

app.get("/orders", async (request, response) => {
  const session = await createSession(request, response)
  for (const id of [1, 2, 3]) session.push({ id, note: "two\nlines" }, "created", String(id))
  response.end()
})

app.get("/ticks", async (request, response) => {
  const session = await createSession(request, response)
  let id = 0
  const timer = setInterval(() => session.push({ id: ++id }), 1)
  session.once("disconnected", () => clearInterval(timer))
})

app.get("/waits", async (request, response) => {
  const session = await createSession(request, response, { keepAlive: null })
  session.push({ id: 1 }, "created", "1")
})

app.listen(Number(process.env["PORT"]), "127.0.0.1", () => process.stdout.write("Express listens\n"))
