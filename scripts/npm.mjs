// Starts npm, which is a batch file on Windows.

import { execFile, spawn } from "node:child_process"
import { promisify } from "node:util"
import { root } from "./repository.mjs"

const shell = process.platform === "win32"

/** Returns what npm prints. Rejects with its errors. */
export async function npm(words, { folder = root, environment = process.env } = {}) {
  const { stdout } = await promisify(execFile)("npm", words, { cwd: folder, env: environment, shell })
  return stdout
}

/** Runs npm in the repository, with its questions. Rejects if it fails. */
export function runNpm(words, environment = process.env) {
  const child = spawn("npm", words, { cwd: root, env: environment, stdio: "inherit", shell })
  return new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`npm ${words.join(" ")} ended with ${code}`)),
    )
  })
}
