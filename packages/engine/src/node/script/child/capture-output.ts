// Turns text that a script writes with `console`, `process.stdout` and `process.stderr` into log entries, up to a
// limit.

import { Writable } from "node:stream"
import type { Channel } from "./channel.ts"
import { showTextsWhole, withoutCutQuotes } from "./cut-quotes.ts"

export type Output = ReturnType<typeof captureOutput>

/** The limit for a call, in characters. Longer entries are dropped: a cut could show half a secret. */
export const maxLoggedCharacters = 1024 * 1024

/** Replaces both output streams of the process, which `console` also uses. */
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

/** Creates a stream that collects text until a write ends a line, then logs it as one entry. */
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
  // The stream's queue would grow without limit in a loop that never yields, so bypass it.
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
