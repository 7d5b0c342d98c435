// Resolves paths in the user-level file.

import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"

/** `folder` is the directory of the user-level file. */
export function userPath(path: string, folder: string): string {
  if (/^~[/\\]/.test(path)) return join(homedir(), path.slice(2))
  return isAbsolute(path) ? path : join(folder, path)
}
