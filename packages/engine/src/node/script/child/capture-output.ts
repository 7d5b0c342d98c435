// Captures what a script writes with `console`, `process.stdout` and `process.stderr` as log entries, up to a limit.

import { Writable } from "node:stream"
import type { Channel } from "./channel.ts"
import { showTextsWhole, withoutCutQuotes } from "./cut-quotes.ts"

export type Output = ReturnType<typeof captureOutput>

/** The limit for a call, in characters. An entry beyond it is dropped, because a cut could show half a secret. */
export const maxLoggedCharacters = 1024 * 1024

/** Replaces the process's two output streams, which the global `console` also writes to. */
export function captureOutput(channel: Channel) {
  showTextsWhole()
  let left = maxLoggedCharacters
  let isFull = false
  const send = (text: string): void => {
    if (isFull) return
    left -= text.length
    if (left >= 0) channel.report({ type: "log", text: withoutCutQuotes(text) })
    else {
      isFull = true
      channel.report({ type: "log-full" })
    }
  }
  const stdout = createLineStream(1, send)
  const stderr = createLineStream(2, send)
  for (const [name, { stream }] of Object.entries({ stdout, stderr })) {
    Object.defineProperty(process, name, {
      value: stream,
      configurable: true,
      enumerable: true,
      writable: true,
    })
  }
  const flush = (): void => {
    stdout.flush()
    stderr.flush()
  }
  return {
    flush,
    /** Writes an entry in order with the script's other output. */
    log: (text: string): void => {
      flush()
      send(text)
    },
    /** Resets the character count for the next call. */
    reset: (): void => {
      left = maxLoggedCharacters
      isFull = false
    },
  }
}

/** Creates a stream that logs one entry per write that ends a line, including the line's earlier parts. */
function createLineStream(fd: 1 | 2, send: (text: string) => void): { stream: Writable; flush: () => void } {
  let open = ""
  const take = (text: string): void => {
    open += text
    if (open.endsWith("\n")) {
      const entry = open.slice(0, -1)
      open = ""
      send(entry)
    } else if (open.length > maxLoggedCharacters) {
      send(open)
      open = ""
    }
  }
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      take(typeof chunk === "string" ? chunk : chunk.toString())
      done()
    },
  })
  // Bypass the stream's queue, which a loop that never yields would fill without limit.
  stream.write = (chunk: unknown, encoding?: unknown, done?: unknown): boolean => {
    take(typeof chunk === "string" ? chunk : Buffer.from(chunk as Uint8Array).toString())
    const callback = [encoding, done].find((argument) => typeof argument === "function")
    if (callback !== undefined) process.nextTick(callback)
    return true
  }
  Object.assign(stream, { fd })
  return {
    stream,
    flush: () => {
      if (open === "") return
      const entry = open
      open = ""
      send(entry)
    },
  }
}
