// Streams of events by Hono, on the port in PORT.

import { serve } from "@hono/node-server"
import { Hono } from "hono"
import { streamSSE } from "hono/streaming"

const app = new Hono()

app.get("/orders", (context) =>
  streamSSE(context, async (stream) => {
    for (const id of [1, 2, 3]) {
      await stream.writeSSE({
        event: "created",
        id: String(id),
        data: JSON.stringify({ id, note: "two\nlines" }),
      })
      await stream.sleep(10)
    }
  }),
)

app.get("/ticks", (context) =>
  streamSSE(context, async (stream) => {
    for (let id = 1; !stream.aborted; id++) {
      await stream.writeSSE({ data: JSON.stringify({ id }) })
      await stream.sleep(1)
    }
  }),
)

app.get("/waits", (context) =>
  streamSSE(context, async (stream) => {
    await stream.writeSSE({ event: "created", id: "1", data: '{"id":1}' })
    await stream.sleep(60_000)
  }),
)

const port = Number(process.env["PORT"])
serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, () => process.stdout.write("Hono listens\n"))
