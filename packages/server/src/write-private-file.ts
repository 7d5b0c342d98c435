// Writing a file of the state folder: whole or not at all, for its user alone to read.

import { randomBytes } from "node:crypto"
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs"
import { basename, dirname, join } from "node:path"

/** What a file is called while it is written: `.<name>-<16 hex digits>.tmp` beside it. Throws what the system says. */
export function writePrivateFile(file: string, text: string): void {
  const name = basename(file).replace(/\.json$/, "")
  const temp = join(dirname(file), `.${name}-${randomBytes(8).toString("hex")}.tmp`)
  try {
    const descriptor = openSync(temp, "wx", 0o600)
    try {
      const bytes = Buffer.from(text)
      for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(temp, file)
  } catch (error) {
    rmSync(temp, { force: true })
    throw error
  }
}
