// A value from standard input, so that a secret need not stand on the command line.

import { CallsheetError } from "@callsheet/format"

// More than any secret needs, and nothing that could fill the memory.
const MOST_BYTES = 1024 * 1024

/** Reads all of it, as UTF-8, and drops one line break at the end. `what` names the value in messages. */
export async function readStandardInput(what: string): Promise<string> {
  const { stdin } = process
  if (stdin.isTTY) {
    throw new CallsheetError(
      "usage",
      `${what}: standard input is a terminal, where the value could be seen`,
      { hint: 'pipe the value in: printf %s "$VALUE" | callsheet …' },
    )
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MOST_BYTES) throw new CallsheetError("usage", `${what}: standard input holds more than 1 MiB`)
    chunks.push(chunk)
  }
  return decode(Buffer.concat(chunks), what).replace(/\r?\n$/, "")
}

function decode(bytes: Buffer, what: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new CallsheetError("file-encoding", `${what}: standard input is not UTF-8`)
  }
}
