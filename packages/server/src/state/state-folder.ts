// Where the application keeps what it remembers of this user: outside of every project.

import { createHash } from "node:crypto"
import { realpathSync } from "node:fs"
import { homedir, platform } from "node:os"
import { isAbsolute, join } from "node:path"

/** Returns the folder, which may not exist. `environment` is the process's own. */
export function stateFolder(environment: Readonly<Record<string, string | undefined>>): string {
  const isWindows = platform() === "win32"
  const named = environment[isWindows ? "LOCALAPPDATA" : "XDG_STATE_HOME"]
  const below = isWindows ? "AppData/Local" : ".local/state"
  const base = named !== undefined && isAbsolute(named) ? named : join(homedir(), below)
  return join(base, "callsheet")
}

export interface ProjectState {
  /** The user's state folder, which may not exist. */
  readonly state: string
  readonly root: string
}

/** Names a project in the state folder: the same for one folder, whatever links lead there. */
export const projectKey = (root: string): string =>
  createHash("sha256").update(realpathSync(root)).digest("hex").slice(0, 32)
