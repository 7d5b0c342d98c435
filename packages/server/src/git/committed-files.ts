// Reads the project's files in the last commit.

import { createHash } from "node:crypto"
import { realpathSync } from "node:fs"
import { askGit, type GitPlace } from "@callsheet/engine"
import { BASELINE_FILE, PROJECT_FILE } from "@callsheet/format"
import { findRepository } from "@callsheet/project"
import { filesAt, type StoredFiles } from "./revision.ts"

/** The part of the repository that git is asked about. */
export const projectPaths = ["apis", PROJECT_FILE, BASELINE_FILE]

/**
 * Returns the files in the last commit, with those at `more` paths. Undefined if git or a repository is missing, or git
 * doesn't answer in time.
 */
export async function committedFiles(
  place: GitPlace,
  more: readonly string[] = [],
): Promise<StoredFiles | undefined> {
  const files = await filesAt("HEAD", place, [...projectPaths, ...more])
  if (files !== undefined) return files
  // Without a commit git exits with 1, without a repository with 128.
  const { code } = await askGit(["rev-parse", "--verify", "--quiet", "HEAD"], place)
  return code === 1 || code === 128 ? new Map() : undefined
}

/** Returns the stored text of a file. Undefined if git doesn't have it or doesn't answer in time. */
export async function readCommitted(hash: string, place: GitPlace): Promise<string | undefined> {
  const { code, output } = await askGit(["cat-file", "blob", hash], place)
  return code === 0 ? output : undefined
}

/** Returns whether a directory is inside a repository, even if git can't read it. */
export const isInRepository = (folder: string): boolean => findRepository(realpathSync(folder)) !== undefined

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
