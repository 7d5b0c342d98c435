// The folder for what the application remembers of this user: outside of every project, closed to others.

import { createHash } from "node:crypto"
import { chmodSync, lstatSync, mkdirSync, realpathSync } from "node:fs"
import { homedir, platform, userInfo } from "node:os"
import { isAbsolute, join } from "node:path"

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
