// Caches in the user's own directory, never in the project and never writable by others.

import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, isAbsolute, join } from "node:path"
import { env, platform } from "node:process"

/** Returns the directory for a kind of cache entry, or undefined if the user has no home. It may not exist yet. */
export function cacheFolder(kind: "scripts" | "documents"): string | undefined {
  const base = cacheBase()
  return base === undefined ? undefined : join(base, "callsheet", kind)
}

function cacheBase(): string | undefined {
  const named = platform === "win32" ? env["LOCALAPPDATA"] : env["XDG_CACHE_HOME"]
  if (named !== undefined && isAbsolute(named)) return named
  try {
    const below = { win32: "AppData/Local", darwin: "Library/Caches" }[platform as string] ?? ".cache"
    return join(homedir(), below)
  } catch {
    return undefined
  }
}

/** Writes an entry that only this user can read. A cache that can't be written only costs time. */
export function writeCacheEntry(file: string, content: string | Uint8Array): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeWholeFile(file, content)
  } catch {
    // The next process tries again.
  }
}

/** Several processes may write the same entry at once, so other processes must only ever see whole files. */
function writeWholeFile(file: string, content: string | Uint8Array): void {
  // Loading it takes several milliseconds, and most runs write no entry.
  const { randomUUID } = process.getBuiltinModule("node:crypto")
  const temporary = `${file}.${randomUUID()}`
  try {
    writeFileSync(temporary, content, { mode: 0o600 })
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
