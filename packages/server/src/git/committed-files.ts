// Reads the project's files in the last commit. `git show` could run the filters that a repository's settings name, so
// git only lists hashes and prints stored contents here.

import { createHash } from "node:crypto"
import { existsSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"
import { askGit, type GitPlace } from "@callsheet/engine"
import { PROJECT_FILE } from "@callsheet/format"

/** The part of the repository that git is asked about. */
export const projectPaths = ["--", "apis", PROJECT_FILE]

/** The hash of each file. Leaves out links and submodules. */
export type CommittedFiles = ReadonlyMap<string, string>

/**
 * Returns the files in the last commit, with those at `more` paths. Undefined if git or a repository is missing, or git
 * doesn't answer in time.
 */
export async function committedFiles(
  place: GitPlace,
  more: readonly string[] = [],
): Promise<CommittedFiles | undefined> {
  const { code, output } = await askGit(["ls-tree", "-r", "-z", "HEAD", ...projectPaths, ...more], place)
  // git exits with 128 if there is no commit.
  return code === 0 || code === 128 ? new Map(output.split("\0").flatMap(readEntry)) : undefined
}

/** Reads a line such as `100644 blob <hash>\t<file>`. */
function readEntry(line: string): readonly (readonly [file: string, hash: string])[] {
  const [, hash, file] = /^100\d{3} blob ([0-9a-f]+)\t([^]+)$/.exec(line) ?? []
  return hash === undefined || file === undefined ? [] : [[file, hash]]
}

/** Returns the stored text of a file. Undefined if git doesn't have it or doesn't answer in time. */
export async function readCommitted(hash: string, place: GitPlace): Promise<string | undefined> {
  const { code, output } = await askGit(["cat-file", "blob", hash], place)
  return code === 0 ? output : undefined
}

/** Returns whether a directory is inside a repository, even if git can't read it. */
export function isInRepository(folder: string): boolean {
  for (let here = realpathSync(folder); ; here = dirname(here)) {
    if (existsSync(join(here, ".git"))) return true
    if (here === dirname(here)) return false
  }
}

/** Returns whether git would store the content under this hash, with its line endings or with those of Unix. */
export function isBlob(content: Uint8Array, hash: string): boolean {
  const bytes = Buffer.from(content)
  const unix = bytes.includes("\r\n")
    ? Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1")
    : bytes
  return [bytes, unix].some((each) => blobHash(each, hash.length === 64 ? "sha256" : "sha1") === hash)
}

/** Returns the hash under which git stores a content. */
export const blobHash = (content: Uint8Array, algorithm: "sha1" | "sha256" = "sha256"): string =>
  createHash(algorithm).update(`blob ${content.length}\0`).update(content).digest("hex")
