// Keeps the text of a stream in a temporary file, so that it can be read again. Nobody else can open the file.

import { randomUUID } from "node:crypto"
import { closeSync, constants, openSync, readSync, unlinkSync, writeSync } from "node:fs"
import { platform, tmpdir } from "node:os"
import { join } from "node:path"
import { StringDecoder } from "node:string_decoder"
import { O_TEMPORARY } from "@callsheet/format"

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

const NEW_FILE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL

/** Opens a file that the system deletes however the process ends. Windows can't unlink an open file. */
export function openUnnamed(folder: string): number {
  const path = join(folder, `callsheet-${randomUUID()}.spool`)
  if (platform() === "win32") return openSync(path, NEW_FILE | O_TEMPORARY)
  const file = openSync(path, NEW_FILE, 0o600)
  try {
    unlinkSync(path)
    return file
  } catch (error) {
    closeSync(file)
    throw error
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
