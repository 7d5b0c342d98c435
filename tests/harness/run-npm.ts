// npm in a directory with its own packages, separate from the workspaces.

import { spawn } from "node:child_process"

/** Runs npm there. Rejects with its output if it fails. */
export function runNpm(folder: string, words: readonly string[]): Promise<void> {
  // Variables that the outer `npm test` set must not affect this npm.
  const environment = Object.entries(process.env).filter(
    ([name]) => !/^npm_(config_engine_strict|package_)/i.test(name),
  )
  const child = spawn(process.platform === "win32" ? "npm.cmd" : "npm", [...words, "--loglevel=error"], {
    cwd: folder,
    env: Object.fromEntries(environment),
    stdio: ["ignore", "ignore", "pipe"],
    shell: process.platform === "win32",
  })
  let errors = ""
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code) => {
      if (code === 0) resolve()
      else reject(new Error(`npm ${words[0]} in ${folder} exited with ${code}\n${errors}`))
    })
  })
}
