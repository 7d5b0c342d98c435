// Keeps the text of a stream in a temporary file, so that it can be read again. Nobody else can open the file.

import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { StringDecoder } from "node:string_decoder"

export type Spool = ReturnType<typeof createSpool>

/** Creates a spool. The first write creates its file. */
export function createSpool(folder = tmpdir()) {
  let file: number | undefined
  let isBroken = false
  const close = (): void => {
    if (file !== undefined) closeSync(file)
    file = undefined
  }
  return {
    write: (text: string): void => {
      if (isBroken) return
      try {
        file ??= openUnnamed(folder)
        const bytes = Buffer.from(text)
        for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
      } catch {
        isBroken = true
        close()
      }
    },
    /** Returns the whole text in pieces. The text can be read only once. Returns undefined if it couldn't be saved. */
    read: (): Iterable<string> | undefined => {
      if (isBroken) return undefined
      const written = file
      file = undefined
      return written === undefined ? [] : readText(written)
    },
  }
}

/** Opens a file and unlinks it immediately, so that it is deleted however the process ends. */
export function openUnnamed(folder: string): number {
  const own = mkdtempSync(join(folder, "callsheet-"))
  try {
    return openSync(join(own, "spool"), "wx+", 0o600)
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

/** Yields the text of an open file in pieces, then closes the file. */
export function* readText(file: number): Generator<string> {
  try {
    const decoder = new StringDecoder("utf8")
    const buffer = Buffer.alloc(256 * 1024)
    let at = 0
    for (let size = readSync(file, buffer, 0, buffer.length, 0); size > 0;) {
      yield decoder.write(buffer.subarray(0, size))
      at += size
      size = readSync(file, buffer, 0, buffer.length, at)
    }
    yield decoder.end()
  } finally {
    closeSync(file)
  }
}
