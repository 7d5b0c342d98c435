// The log of one call: entries in order, up to a limit. An entry is kept whole or left out, because a cut could show
// half a secret.

import { messages } from "../../messages.ts"
import { maxLoggedCharacters } from "./child/capture-output.ts"

interface CallLog {
  readonly write: (text: string) => void
  /** Collects direct writes to descriptor 1 or 2: by a program that the script started, or `fs.writeSync(1, …)`. */
  readonly collect: (stream: "stdout" | "stderr", chunk: Buffer) => void
  /** Marks the log as full. */
  readonly fill: () => void
  /** Writes the collected output, one entry per stream, and closes the log. */
  readonly end: () => void
}

export function createCallLog(log: (text: string) => void): CallLog {
  let left = maxLoggedCharacters
  let isFull = false
  let isOver = false
  const collected = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
  const sizes = { stdout: 0, stderr: 0 }
  const fill = (): void => {
    if (isFull || isOver) return
    isFull = true
    log(messages.log.full(maxLoggedCharacters).message)
  }
  const write = (text: string): void => {
    if (isFull || isOver) return
    left -= text.length
    if (left < 0) fill()
    else log(text)
  }
  return {
    write,
    fill,
    collect: (stream, chunk) => {
      sizes[stream] += chunk.length
      if (sizes[stream] <= maxLoggedCharacters) collected[stream].push(chunk)
      else {
        collected[stream].length = 0
        fill()
      }
    },
    end: () => {
      for (const chunks of [collected.stdout, collected.stderr]) {
        const text = withoutCrashDump(Buffer.concat(chunks).toString()).replace(/\n$/, "")
        if (text !== "") write(text)
      }
      isOver = true
    },
  }
}

/** Removes V8's report of a full heap, which is pages of addresses. The outcome says what happened. */
function withoutCrashDump(text: string): string {
  const start = text.indexOf("\n<--- Last few GCs --->")
  return start === -1 ? text : text.slice(0, start)
}
