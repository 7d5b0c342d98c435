// The folder for caches of this user: never in the project, never where others can write.

import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"
import { env, platform } from "node:process"

/** The folder for one kind of cache entries; undefined where the user has no home. It need not exist. */
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
