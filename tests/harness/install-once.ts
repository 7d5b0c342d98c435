// Installs packages that a test needs and the workspaces don't have. Reads a lock file, and installs again only if it
// changes.

import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { runNpm } from "./run-npm.ts"

/** Installs the packages in a directory's lock file. `list` is the input of `prepare`, which runs afterward. */
export async function installOnce(
  folder: string,
  { list, prepare }: { readonly list?: string; readonly prepare?: () => Promise<void> } = {},
): Promise<void> {
  const stampFile = join(folder, "node_modules/.installed-from")
  const stamp = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .update(list ?? "")
    .digest("hex")
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return
  await runNpm(folder, ["ci"])
  await prepare?.()
  writeFileSync(stampFile, stamp)
}
