// Resolves paths in the user-level file.

import { isAbsolute, join } from "node:path"
import { homeFolder } from "../home-folder.ts"

/** `folder` is the directory of the user-level file. */
export function userPath(path: string, folder: string): string {
  if (/^~[/\\]/.test(path)) return join(homeFolder(), path.slice(2))
  return isAbsolute(path) ? path : join(folder, path)
}
