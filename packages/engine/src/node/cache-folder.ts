// Creates caches that other users can't write to, in the user's own directory and never in the project.

import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from "node:fs"
import { dirname, isAbsolute, join } from "node:path"
import { env, platform } from "node:process"

/**
 * Returns the directory for a kind of cache entry. It might not exist yet. Undefined if the user has no home directory.
 */
export function cacheFolder(kind: "code" | "scripts" | "documents"): string | undefined {
  const base = cacheBase()
  return base === undefined ? undefined : join(base, "callsheet", kind)
}

function cacheBase(): string | undefined {
  const named = platform === "win32" ? env["LOCALAPPDATA"] : env["XDG_CACHE_HOME"]
  if (named !== undefined && isAbsolute(named)) return named
  try {
    const below = { win32: "AppData/Local", darwin: "Library/Caches" }[platform as string] ?? ".cache"
    // Returns the same as `homedir`, but loads no module.
    const home = platform === "win32" ? undefined : env["HOME"]
    return join(home ?? process.getBuiltinModule("node:os").homedir(), below)
  } catch {
    return undefined
  }
}

/** Reads an entry whose content will be executed. Undefined if anyone but this user may have written it. */
export function readOwnEntry(file: string) {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const status = fstatSync(descriptor)
    if (!status.isFile() || !isOwnedByUser(status, 0o022)) return undefined
    return { content: readFileSync(descriptor), writtenAtMs: status.mtimeMs }
  } catch {
    return undefined
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** Hashes a path without `node:crypto`, which is slow to load. On a collision, paths replace each other's entry. */
export function shortKey(path: string): string {
  let [first, second] = [0, 0]
  for (let at = 0; at < path.length; at++) {
    first = (Math.imul(first, 31) + path.charCodeAt(at)) | 0
    second = Math.imul(second ^ path.charCodeAt(at), 0x01000193)
  }
  return [first, second, path.length].map((part) => (part >>> 0).toString(16)).join("-")
}

/** Creates a directory with its parents. Node's own `recursive` never returns if `/proc` refuses a directory. */
export function makeFolder(path: string, mode = 0o777): void {
  if (isFolder(path)) return
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent, mode)
  try {
    mkdirSync(path, mode)
  } catch (error) {
    // Another process may have created it.
    if (!isFolder(path)) throw error
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** Returns whether only this user can access the directory. Creates it if it doesn't exist. */
export function isPrivateFolder(folder: string): boolean {
  try {
    makeFolder(folder, 0o700)
    const status = lstatSync(folder)
    return status.isDirectory() && isOwnedByUser(status, 0o077)
  } catch {
    return false
  }
}

/** Returns whether this user owns the file and nobody else has the permissions `others`. Windows has no such modes. */
export const isOwnedByUser = ({ uid, mode }: Stats, others: number): boolean =>
  process.getuid === undefined || (uid === process.getuid() && (mode & others) === 0)

/** Sets the permissions of an open file. Windows has none: there, the list of its directory applies. */
export function setMode(file: number, mode: number): void {
  if (process.getuid !== undefined) fchmodSync(file, mode)
}

/** Removes the oldest entries. Temporary files count as entries, so those left behind are removed eventually. */
export function removeOldest(
  folder: string,
  { maxEntries, maxBytes }: { readonly maxEntries: number; readonly maxBytes: number },
): void {
  try {
    const entries = readdirSync(folder)
      .map((name) => join(folder, name))
      .flatMap((file) => {
        const status = statSync(file, { throwIfNoEntry: false })
        return status === undefined ? [] : [{ file, status }]
      })
      .sort((a, b) => b.status.mtimeMs - a.status.mtimeMs)
    let total = 0
    for (const [index, { file, status }] of entries.entries()) {
      total += status.size
      if (index >= maxEntries || (index > 0 && total > maxBytes)) rmSync(file, { force: true })
    }
  } catch {
    // If this fails, the next process tries again.
  }
}

/** Writes an entry that only this user can read. Ignores failures, because a missing entry only costs time. */
export function writeCacheEntry(file: string, content: string | Uint8Array): void {
  try {
    makeFolder(dirname(file), 0o700)
    writeWholeFile(file, content)
  } catch {
    // If this fails, the next process tries again.
  }
}

/** Writes a file atomically: other processes may write the same entry, and none may read a partial one. */
function writeWholeFile(file: string, content: string | Uint8Array): void {
  // Loading `node:crypto` takes several milliseconds, and most runs write no entry.
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
