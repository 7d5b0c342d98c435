// npm in a folder that has packages of its own, apart from the workspaces.

import { spawn } from "node:child_process"

/** Runs npm there; rejects with what it said where it does not end well. */
export function runNpm(folder: string, words: readonly string[]): Promise<void> {
  // What the outer `npm test` set for itself must not decide how the folder is installed.
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
      else reject(new Error(`npm ${words[0]} in ${folder} ended with ${code}\n${errors}`))
    })
  })
}
