// Reads a commit: finds it, and the names and contents of its files. git only lists names and prints stored contents,
// because reading a file in any other way could run the filters that a repository's settings name.

import { readGit, askGit, type GitPlace } from "@callsheet/engine"

export type FoundBase =
  | { readonly is: "base"; readonly commit: string }
  | { readonly is: "no-git" | "no-repository" | "no-answer" | "unknown" | "no-base" | "shallow" }

/** Finds the commit to compare with: the best common ancestor of a reference and HEAD. */
export async function findBase(reference: string, place: GitPlace): Promise<FoundBase> {
  // git would read these as an option, a range or a file, and a program can't be given a NUL character.
  if (!/^[^-:\0][^:\0]*$/.test(reference) || reference.includes("..")) return { is: "unknown" }
  const asked = await askGit(["rev-parse", "--is-shallow-repository"], place)
  if (asked.code === "no-git") return { is: "no-git" }
  if (asked.code === 128) return { is: "no-repository" }
  if (asked.code !== 0) return { is: "no-answer" }
  const found = await askGit(["rev-parse", "--verify", "--quiet", `${reference}^{commit}`], place)
  const commit = found.output.trim()
  if (found.code !== 0 || !isHash(commit)) return { is: "unknown" }
  const { code, output } = await askGit(["merge-base", commit, "HEAD"], place)
  const base = output.trim()
  if (code === 0 && isHash(base)) return { is: "base", commit: base }
  return { is: asked.output.trim() === "true" ? "shallow" : "no-base" }
}

const isHash = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)

/** The hash of each file. Leaves out links and submodules. */
export type StoredFiles = ReadonlyMap<string, string>

/** A monorepo's list of names. */
const MAX_LIST_BYTES = 128 * 1024 * 1024

/** Lists the files of a commit at and below the paths. Undefined if git doesn't answer. */
export async function filesAt(
  commit: string,
  place: GitPlace,
  paths: readonly string[] = ["."],
): Promise<StoredFiles | undefined> {
  const words = ["ls-tree", "-r", "-z", commit, "--", ...paths]
  const { code, output } = await readGit(words, place, { maxBytes: MAX_LIST_BYTES })
  return code === 0 ? new Map(output.toString().split("\0").flatMap(readEntry)) : undefined
}

/** Lists the files that git tracks or would add, also those that aren't on the disk. Undefined if git doesn't answer. */
export async function knownFiles(
  place: GitPlace,
  paths: readonly string[] = ["."],
): Promise<readonly string[] | undefined> {
  const words = ["ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", ...paths]
  const { code, output } = await readGit(words, place, { maxBytes: MAX_LIST_BYTES })
  return code === 0 ? [...new Set(output.toString().split("\0"))].filter((name) => name !== "") : undefined
}

/** Reads a line such as `100644 blob <hash>\t<file>`. */
function readEntry(line: string): readonly (readonly [file: string, hash: string])[] {
  const [, hash, file] = /^100\d{3} blob ([0-9a-f]+)\t([^]+)$/.exec(line) ?? []
  return hash === undefined || file === undefined ? [] : [[file, hash]]
}

const MAX_CONTENT_BYTES = 512 * 1024 * 1024
const CONTENT_DEADLINE_MS = 60_000

/** Reads stored contents by their hashes. Leaves out what git doesn't have, such as files of a partial clone. */
export async function readStored(
  hashes: readonly string[],
  place: GitPlace,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const contents = new Map<string, Uint8Array>()
  const { output } = await readGit(
    ["cat-file", "--batch"],
    { ...place, deadlineMs: CONTENT_DEADLINE_MS },
    { input: [...new Set(hashes)].map((hash) => `${hash}\n`).join(""), maxBytes: MAX_CONTENT_BYTES },
  )
  // Each content stands between a line such as `<hash> blob <size>` and an empty line.
  for (let at = 0; at < output.length;) {
    const end = output.indexOf("\n", at)
    const [, hash, size] = /^([0-9a-f]+) blob (\d+)$/.exec(output.toString("latin1", at, end)) ?? []
    at = end + 1
    if (end === -1) break
    if (hash === undefined) continue
    contents.set(hash, output.subarray(at, at + Number(size)))
    at += Number(size) + 1
  }
  return contents
}
