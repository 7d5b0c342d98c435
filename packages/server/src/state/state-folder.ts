// The folder for what the application remembers of this user, and its files: outside of every project, closed to others.

import { createHash, randomBytes } from "node:crypto"
import {
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs"
import { homedir, platform, userInfo } from "node:os"
import { basename, dirname, isAbsolute, join } from "node:path"

/** Where it is, whether it is there or not. `environment` is the process's own. */
export function stateFolder(environment: Readonly<Record<string, string | undefined>>): string {
  const isWindows = platform() === "win32"
  const named = environment[isWindows ? "LOCALAPPDATA" : "XDG_STATE_HOME"]
  const below = isWindows ? "AppData/Local" : ".local/state"
  const base = named !== undefined && isAbsolute(named) ? named : join(homedir(), below)
  return join(base, "callsheet")
}

/** What stands for a project in names of files and folders: the same for one folder, by whatever way it is named. */
export const projectKey = (root: string): string =>
  createHash("sha256").update(realpathSync(root)).digest("hex").slice(0, 32)

/**
 * Makes a folder that this user alone can look into; one that others could is closed to them. False where something else
 * stands there, such as a link or the folder of another user.
 */
export function makePrivateFolder(folder: string): boolean {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const stats = lstatSync(folder)
  if (!stats.isDirectory()) return false
  if (platform() === "win32") return true
  if (stats.uid !== userInfo().uid) return false
  if ((stats.mode & 0o077) !== 0) chmodSync(folder, 0o700)
  return true
}

/** Undefined where there is no such file, a link included, or where `use` cannot read it. */
export function readPrivateFile<T>(file: string, use: (descriptor: number) => T): T | undefined {
  let descriptor: number | undefined
  try {
    // Not to wait for what is no file, such as a pipe.
    descriptor = openSync(
      file,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    )
    return use(descriptor)
  } catch {
    return undefined
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

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
