// Finds the project's files that differ from the last commit. `git status` would run the filters that a repository's
// settings name, so git only lists names and hashes here, and this module hashes the files.

import { createHash } from "node:crypto"
import { lstat, readFile } from "node:fs/promises"
import { join } from "node:path"
import { PROJECT_FILE } from "@callsheet/format"
import type { FileChange } from "../calls/index.ts"
import { askGit, type GitPlace } from "./ask-git.ts"

const paths = ["--", "apis", PROJECT_FILE]
const MAX_FILE_BYTES = 64 * 1024 * 1024

/** Returns no files if git or a repository is missing, or git doesn't answer in time. */
export async function changedFiles(place: GitPlace): Promise<readonly FileChange[]> {
  const [known, committed] = await Promise.all([
    askGit(["ls-files", "--cached", "--others", "--exclude-standard", "-z", ...paths], place),
    askGit(["ls-tree", "-r", "-z", "HEAD", ...paths], place),
  ])
  // git exits with 128 if there is no commit.
  if (known.code !== 0 || (committed.code !== 0 && committed.code !== 128)) return []
  const hashes = new Map(committed.output.split("\0").flatMap(readEntry))
  const found: FileChange[] = []
  for (const file of new Set(known.output.split("\0").filter((name) => name !== ""))) {
    const change = await changeOf(join(place.root, file), hashes.get(file))
    if (change !== undefined) found.push({ file, change })
  }
  return found
}

/** Reads a line such as `100644 blob <hash>\t<file>`. Leaves out links and submodules. */
function readEntry(line: string): readonly (readonly [file: string, hash: string])[] {
  const [, hash, file] = /^100\d{3} blob ([0-9a-f]+)\t([^]+)$/.exec(line) ?? []
  return hash === undefined || file === undefined ? [] : [[file, hash]]
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

/** Returns whether git would store the content under this hash, with its line endings or with those of Unix. */
function isBlob(content: Buffer, hash: string): boolean {
  const unix = content.includes("\r\n")
    ? Buffer.from(content.toString("latin1").replaceAll("\r\n", "\n"), "latin1")
    : content
  return [content, unix].some(
    (bytes) =>
      createHash(hash.length === 64 ? "sha256" : "sha1")
        .update(`blob ${bytes.length}\0`)
        .update(bytes)
        .digest("hex") === hash,
  )
}
