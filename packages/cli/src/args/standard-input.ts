// Reads a value from standard input, so that a secret need not be on the command line.

import { CallsheetError } from "@callsheet/format"
import { messages } from "../messages.ts"

// The maximum size: more than any secret needs, and too little to fill memory.
const MAX_BYTES = 1024 * 1024

/** Reads all of standard input as UTF-8. Removes a final line break. `what` names the value in messages. */
export async function readStandardInput(what: string, maxBytes = MAX_BYTES): Promise<string> {
  const { stdin } = process
  if (stdin.isTTY) throw new CallsheetError(messages.usage.terminalInput(what))
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw new CallsheetError(messages.usage.largeInput(what, maxBytes / MAX_BYTES))
    chunks.push(chunk)
  }
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
    return decoder.decode(Buffer.concat(chunks)).replace(/\r?\n$/, "")
  } catch {
    throw new CallsheetError(messages["file-encoding"].input(what))
  }
}
