// Streams events to open pages as lines of JSON. An empty line is a heartbeat.

import type { ServerResponse } from "node:http"
import type { AppEvent } from "../calls/index.ts"
import type { AppEvents } from "../events.ts"
import { jsonText, securityHeaders } from "./answer.ts"
import type { Limits } from "./limits.ts"

export type EventStreams = ReturnType<typeof createEventStreams>

export function createEventStreams(events: AppEvents, limits: Limits) {
  let open = 0
  return {
    /** Sends all events from now on until the page disconnects. Returns false if too many streams are open. */
    open: (response: ServerResponse): boolean => {
      if (open >= limits.streams) return false
      open++
      response.on("close", () => open--)
      stream(response, events, limits)
      return true
    },
  }
}

function stream(response: ServerResponse, events: AppEvents, limits: Limits): void {
  const write = (line: string) => {
    response.write(`${line}\n`)
    // Disconnect a page that doesn't read. It loses nothing, because it reconnects and reads the project again.
    if (response.writableLength > limits.unreadBytes) response.destroy()
  }
  const unsubscribe = events.subscribe((event: AppEvent) => write(jsonText(event)))
  const heartbeat = setInterval(() => write(""), limits.heartbeatMs)
  response.on("error", () => undefined)
  response.on("close", () => {
    clearInterval(heartbeat)
    unsubscribe()
  })
  response.writeHead(200, { ...securityHeaders, "content-type": "application/x-ndjson" })
  write("")
}
