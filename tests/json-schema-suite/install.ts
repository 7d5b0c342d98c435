// Fetches the packages beside this file by npm. Once, until the lockfile changes.

import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { runNpm } from "../harness/run-npm.ts"
import { folder } from "./suite.ts"

const stampFile = `${folder}node_modules/.installed-from`

export async function installPackages(): Promise<void> {
  const stamp = createHash("sha256")
    .update(readFileSync(`${folder}package-lock.json`))
    .digest("hex")
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return
  await runNpm(folder, ["ci"])
  writeFileSync(stampFile, stamp)
}
