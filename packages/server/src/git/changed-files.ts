// Finds the project's files that differ from the last commit. `git status` would run the filters that a repository's
// settings name, so git only lists names and hashes here, and this module hashes the files.

import { lstat, readFile } from "node:fs/promises"
import { join } from "node:path"
import { askGit, type GitPlace } from "@callsheet/engine"
import type { FileChange } from "../calls/index.ts"
import { committedFiles, isBlob, projectPaths } from "./committed-files.ts"

const MAX_FILE_BYTES = 64 * 1024 * 1024

/** Returns no files if git or a repository is missing, or git doesn't answer in time. */
export async function changedFiles(place: GitPlace): Promise<readonly FileChange[]> {
  const [known, hashes] = await Promise.all([
    askGit(["ls-files", "--cached", "--others", "--exclude-standard", "-z", ...projectPaths], place),
    committedFiles(place),
  ])
  if (known.code !== 0 || hashes === undefined) return []
  const found: FileChange[] = []
  for (const file of new Set(known.output.split("\0").filter((name) => name !== ""))) {
    const change = await changeOf(join(place.root, file), hashes.get(file))
    if (change !== undefined) found.push({ file, change })
  }
  return found
}

/** Undefined for links, directories and deleted files too. */
async function changeOf(
  file: string,
  committed: string | undefined,
): Promise<FileChange["change"] | undefined> {
  try {
    const stat = await lstat(file)
    if (!stat.isFile() || stat.size > MAX_FILE_BYTES) return undefined
    if (committed === undefined) return "new"
    const state = [committed, stat.mtimeMs, stat.ctimeMs, stat.size, stat.ino].join(" ")
    const isSame =
      compared.get(file)?.state === state
        ? compared.get(file)?.isSame
        : isBlob(await readFile(file), committed)
    compared.set(file, { state, isSame })
    return isSame === true ? undefined : "changed"
  } catch {
    return undefined
  }
}

/** The last comparison of each file, because most files stay the same between two calls. */
const compared = new Map<string, { readonly state: string; readonly isSame: boolean | undefined }>()
