// Installs the servers of this folder's package.json beside it, where that was not done yet or the lockfile has changed since.

import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { runNpm } from "../harness/run-npm.ts"

const folder = fileURLToPath(new URL(".", import.meta.url))
const stampFile = `${folder}node_modules/.installed-from`

export async function installServers(): Promise<void> {
  const stamp = createHash("sha256")
    .update(readFileSync(`${folder}package-lock.json`))
    .digest("hex")
  if (readStamp() === stamp) return
  // Its packages ask for an older Node than 20, on which they run; this folder's .npmrc lets them in.
  await runNpm(folder, ["ci"])
  writeFileSync(stampFile, stamp)
}

function readStamp(): string | undefined {
  try {
    return readFileSync(stampFile, "utf8")
  } catch {
    return undefined
  }
}
