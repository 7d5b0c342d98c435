// Compares a run that reads and checks an event stream with the smallest program that reads the same events.

import { once } from "node:events"
import { createServer } from "node:http"
import { measure, median } from "./measure.mjs"
import { writeFiles } from "./write-files.mjs"

const event = (n) => `id: ${n}\ndata: {"n":${n},"name":"item ${n}","isLast":false}\n\n`

const data = {
  type: "object",
  required: ["n", "name"],
  properties: { n: { type: "integer" }, name: { type: "string" }, isLast: { type: "boolean" } },
}
const itemSchema = { type: "object", required: ["data"], properties: { id: { type: "string" }, data } }
const document = {
  openapi: "3.2.0",
  info: { title: "Ticks", version: "1" },
  paths: {
    "/ticks": {
      get: {
        operationId: "getTicks",
        responses: { 200: { description: "", content: { "text/event-stream": { itemSchema } } } },
      },
    },
  },
}

/** Each event is read, decoded, checked against its schema, and kept. */
const GOAL = 15

/** Splits the events at blank lines, parses their data, and fails if one is missing. */
const reader = `
const [url, count] = process.argv.slice(1)
let pending = "", seen = 0
require("node:http").get(url, (response) => response.setEncoding("utf8").on("data", (text) => {
  const events = (pending + text).split("\\n\\n")
  pending = events.pop()
  for (const event of events) if (JSON.parse(event.slice(event.indexOf("data: ") + 6)).n === seen) seen++
}).on("end", () => process.exit(seen === Number(count) ? 0 : 1)))`

/** Returns a row for a stream with `count` events. */
export async function compareStreams({ folder, callsheet, count, rounds, progress }) {
  const server = createServer((_, response) => void sendEvents(response, count))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const baseUrl = `http://127.0.0.1:${server.address().port}`
  await writeFiles(folder, {
    "callsheet.json": { version: 1, streams: { maxItems: count + 1 } },
    "apis/ticks/openapi.json": document,
    "apis/ticks/environments/schema.json": {
      version: 1,
      variables: { baseUrl: { type: "string", required: true } },
    },
    "apis/ticks/environments/local.json": { baseUrl },
    "apis/workflow/ticks.json": {
      version: 1,
      validateContracts: true,
      blocks: [{ id: "ticks", type: "request", request: { api: "ticks", operation: "getTicks" } }],
    },
  })
  const run = [...callsheet, "ticks", "--project", folder]
  const read = [process.execPath, "-e", reader, `${baseUrl}/ticks`, String(count)]
  const times = { ours: [], theirs: [] }
  try {
    for (let round = 0; round <= rounds; round++) {
      const ours = await measure(run, { cwd: folder })
      const theirs = await measure(read, { cwd: folder })
      // The first round only warms the caches.
      if (round === 0) continue
      times.ours.push(ours)
      times.theirs.push(theirs)
      progress(`(x) streams: ${round} of ${rounds}`)
    }
  } finally {
    server.close()
    server.closeAllConnections()
  }
  progress("")
  return [rowOf(times, count)]
}

async function sendEvents(response, count) {
  response.writeHead(200, { "content-type": "text/event-stream" })
  for (let n = 0; n < count; n += 100) {
    const chunk = Array.from({ length: Math.min(100, count - n) }, (_, at) => event(n + at)).join("")
    if (!response.write(chunk)) await once(response, "drain")
  }
  response.end()
}

function rowOf({ ours, theirs }, count) {
  const cpuOf = (all) => median(all.map(({ cpuMs }) => cpuMs))
  return {
    what: `(x) a stream of ${count.toLocaleString("en")} events, each checked`,
    measured: "CPU",
    ours: `${cpuOf(ours).toFixed(0)} ms`,
    baseline: `only read ${cpuOf(theirs).toFixed(0)} ms`,
    ratio: median(ours.map(({ cpuMs }, at) => cpuMs / theirs[at].cpuMs)),
    goal: GOAL,
  }
}
