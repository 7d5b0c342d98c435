// Writes JSON to a program in large chunks, because each write costs a system call.

import type { Output } from "../screen.ts"
import { breakCommandsInJson } from "../text/log-commands.ts"
import { CHUNK } from "./chunks.ts"

export interface JsonOutput {
  /** Appends text that ends outside of a JSON string. */
  readonly write: (json: string) => void
  readonly flush: () => void
}

export function createJsonOutput({ write }: Pick<Output, "write">): JsonOutput {
  let text = ""
  const flush = (): void => {
    write(breakCommandsInJson(text), "exact")
    text = ""
  }
  return {
    write: (json) => {
      text += json
      if (text.length >= CHUNK) flush()
    },
    flush,
  }
}
