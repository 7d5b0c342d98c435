// Installs the servers of this folder's package.json beside it, where that was not done yet or the lockfile has changed since.

import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const folder = fileURLToPath(new URL(".", import.meta.url))
const stampFile = `${folder}node_modules/.installed-from`

export async function installServers(): Promise<void> {
  const stamp = createHash("sha256")
    .update(readFileSync(`${folder}package-lock.json`))
    .digest("hex")
  if (readStamp() === stamp) return
  await npmCi()
  writeFileSync(stampFile, stamp)
}

function readStamp(): string | undefined {
  try {
    return readFileSync(stampFile, "utf8")
  } catch {
    return undefined
  }
}

/** The todo server's packages ask for an older Node than 20, on which they run; this folder's .npmrc lets them in. */
function npmCi(): Promise<void> {
  const npm = process.platform === "win32" ? "npm.cmd" : "npm"
  // What the outer `npm test` set for itself must not decide how this folder is installed.
  const environment = Object.entries(process.env).filter(
    ([name]) => !/^npm_(config_engine_strict|package_)/i.test(name),
  )
  const child = spawn(npm, ["ci", "--loglevel=error"], {
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
      else reject(new Error(`npm ci in tests/real-servers ended with ${code}\n${errors}`))
    })
  })
}
