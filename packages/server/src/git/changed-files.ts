// Finds files that differ from those of a commit. `git status` would run the filters that a repository's
// settings name, so git only lists names and hashes here, and this module hashes the files.

import { createHash } from "node:crypto"
import { lstat, readFile } from "node:fs/promises"
import { join } from "node:path"
import type { GitPlace } from "@callsheet/engine"
import type { FileChange } from "../calls/index.ts"
import { committedFiles, isBlob, projectPaths } from "./committed-files.ts"
import { knownFiles, readStored, type StoredFiles } from "./revision.ts"

/** callsheet reads no larger file. */
const MAX_FILE_BYTES = 256 * 1024 * 1024

/** Returns no files if git or a repository is missing, or git doesn't answer in time. */
export async function changedFiles(place: GitPlace): Promise<readonly FileChange[]> {
  const [known, stored] = await Promise.all([knownFiles(place, projectPaths), committedFiles(place)])
  if (known === undefined || stored === undefined) return []
  const changes = await differences(known, stored, place)
  return changes.flatMap(({ file, change }) => (change === "deleted" ? [] : [{ file, change }]))
}

interface Difference {
  readonly file: string
  readonly change: FileChange["change"] | "deleted"
}

/** Returns which of the files differ from the stored ones. A link or a directory in the place of a file deletes it. */
export async function differences(
  files: readonly string[],
  stored: StoredFiles,
  place: GitPlace,
): Promise<readonly Difference[]> {
  const found: Difference[] = []
  for (const file of files) {
    const change = await changeOf(join(place.root, file), stored.get(file))
    if (change !== undefined) found.push({ file, change })
  }
  const suspects = found.filter(({ change }) => change === "changed")
  if (suspects.length === 0) return found
  const contents = await readStored(
    suspects.map(({ file }) => stored.get(file) ?? ""),
    place,
  )
  const isSame = async (file: string): Promise<boolean> => {
    const pointer = readPointer(contents.get(stored.get(file) ?? ""))
    return pointer !== undefined && pointer === (await contentHash(join(place.root, file)))
  }
  const same = new Set<string>()
  for (const { file } of suspects) if (await isSame(file)) same.add(file)
  return found.filter(({ file }) => !same.has(file))
}

/** Returns the SHA-256 hash in a pointer of Git LFS, which git stores instead of a large file's content. */
function readPointer(stored: Uint8Array | undefined): string | undefined {
  if (stored === undefined || stored.length > 1024) return undefined
  const text = new TextDecoder().decode(stored)
  if (!text.startsWith("version https://git-lfs.github.com/spec/")) return undefined
  return /^oid sha256:([0-9a-f]{64})$/m.exec(text)?.[1]
}

const contentHash = async (file: string): Promise<string | undefined> =>
  readFile(file).then(
    (content) => createHash("sha256").update(content).digest("hex"),
    () => undefined,
  )

async function changeOf(
  file: string,
  committed: string | undefined,
): Promise<Difference["change"] | undefined> {
  try {
    const stat = await lstat(file)
    if (!stat.isFile()) return committed === undefined ? undefined : "deleted"
    if (stat.size > MAX_FILE_BYTES) return undefined
    if (committed === undefined) return "new"
    const state = [committed, stat.mtimeMs, stat.ctimeMs, stat.size, stat.ino].join(" ")
    const isSame =
      compared.get(file)?.state === state
        ? compared.get(file)?.isSame
        : isBlob(await readFile(file), committed)
    compared.set(file, { state, isSame })
    return isSame === true ? undefined : "changed"
  } catch {
    return committed === undefined ? undefined : "deleted"
  }
}

/** The last comparison of each file, because most files stay the same between two calls. */
const compared = new Map<string, { readonly state: string; readonly isSame: boolean | undefined }>()
