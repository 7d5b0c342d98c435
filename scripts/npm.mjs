// Starts npm, which is a batch file on Windows.

import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { root } from "./repository.mjs"

export const shell = process.platform === "win32"

/** Returns what npm prints. Rejects with its errors. */
export async function npm(words, { folder = root, environment = process.env } = {}) {
  const { stdout } = await promisify(execFile)("npm", words, { cwd: folder, env: environment, shell })
  return stdout
}
