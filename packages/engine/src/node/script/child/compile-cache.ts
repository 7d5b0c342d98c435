// Keeps compiled scripts between runs, one file per script, in the user's own directory, because what is read back is
// run.

import { createHash } from "node:crypto"
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs"
import { join } from "node:path"
import { writeCacheEntry } from "../../cache-folder.ts"

export interface CompiledScript {
  /** The source text; an entry is only valid for exactly this text. */
  readonly source: string
  readonly code: string
  /** The source map, as JSON text. */
  readonly map?: string
  readonly exports: readonly string[]
  /** False if the text doesn't list all exports (`export *`). */
  readonly complete: boolean
}

interface CompileCache {
  readonly read: (file: string, source: string) => CompiledScript | undefined
  readonly write: (file: string, script: CompiledScript) => void
}

/** Increase it when the shape or the compiler's options change. */
const version = 1

/** If there is no directory, or it is not writable, nothing is kept and nothing fails. */
export function createCompileCache(folder: string | undefined): CompileCache {
  if (folder === undefined) return { read: () => undefined, write: () => undefined }
  const entryOf = (file: string): string =>
    join(folder, `${createHash("sha256").update(file).digest("hex").slice(0, 32)}.json`)
  return {
    read: (file, source) => {
      const entry = readEntry(entryOf(file))
      return entry?.version === version && entry.file === file && entry.source === source ? entry : undefined
    },
    write: (file, script) => {
      writeCacheEntry(entryOf(file), JSON.stringify({ version, file, ...script }))
    },
  }
}

function readEntry(path: string): (CompiledScript & { version: number; file: string }) | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    if (!isOwn(fstatSync(descriptor))) return undefined
    return JSON.parse(readFileSync(descriptor, "utf8")) as CompiledScript & { version: number; file: string }
  } catch {
    return undefined
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** Only this user may have written it, because what is read back is run. Windows has no such modes. */
const isOwn = (status: Stats): boolean =>
  status.isFile() &&
  (process.getuid === undefined || (status.uid === process.getuid() && (status.mode & 0o022) === 0))
