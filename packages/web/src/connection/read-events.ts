// Reads events from a stream of JSON lines.

import type { AppEvent } from "@callsheet/server/calls"

/** The maximum length of a line that the server sends. */
const longestLine = 1_000_000

/** Reads events. Resolves when the stream ends, and rejects if it breaks. A blank line keeps the connection alive. */
export async function readEvents(response: Response, onEvent: (event: AppEvent) => void): Promise<void> {
  if (response.body === null) return
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ""
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const lines = (rest + read.value).split("\n")
    rest = lines.pop() ?? ""
    if (rest.length > longestLine) throw new Error("a line of the event stream is too long")
    for (const line of lines) if (line.trim() !== "") onEvent(JSON.parse(line) as AppEvent)
  }
}
