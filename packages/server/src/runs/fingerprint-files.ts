// Whether any file of a project has changed: what a confirmation is bound to, beside the order itself.

import { createHash } from "node:crypto"
import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"

/**
 * Another text wherever a file below `apis/` is another than it was: by its size, its times and its place on the disk. The
 * time of the last change is the system's own, which no program sets back.
 */
export async function fingerprintFiles(root: string): Promise<string> {
  const hash = createHash("sha256")
  const folders = ["apis"]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await list(join(root, folder))) {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) folders.push(path)
      else hash.update(`${path}\0${await stateOf(join(root, path))}\0`)
    }
  }
  return hash.digest("hex")
}

async function list(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** Follows links: what they lead to is what is read. */
async function stateOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true })
    return [ino, size, mtimeNs, ctimeNs].join(" ")
  } catch {
    return "gone"
  }
}
