// Finds values that stay in git history after a change.

import { askGit, type GitPlace } from "@callsheet/engine"
import type { SchemaChangeSet } from "@callsheet/project"
import { historyReasons, notes } from "../messages.ts"
import type { Masker } from "../secrets/secrets-masker.ts"

interface Commit {
  readonly hash: string
  readonly date: string
  /** The subject of a commit is untrusted, because anyone who commits can choose it. */
  readonly subject: string
}

export type FoundCommits =
  | { readonly is: "commits"; readonly commits: readonly Commit[]; readonly isAll: boolean }
  | { readonly is: "no-git" | "no-repository" | "no-answer" }

const MAX_COMMITS = 1000

/** Finds the commits that touched one of the files, on all branches, newest first. `files` are relative to the root. */
export async function commitsOf(files: readonly string[], place: GitPlace): Promise<FoundCommits> {
  const answer = await askGit([...logArguments, "--", ...files], place)
  if (answer.code === "no-git") return { is: "no-git" }
  if (answer.code === 128) return { is: "no-repository" }
  if (answer.code !== 0) return { is: "no-answer" }
  const commits = answer.output.split("\0").flatMap(readCommit)
  return { is: "commits", commits, isAll: commits.length < MAX_COMMITS }
}

/** Returns the files under version control, even those in `.gitignore`. Returns none if git fails. */
async function trackedOf(files: readonly string[], place: GitPlace): Promise<readonly string[]> {
  if (files.length === 0) return []
  const { code, output } = await askGit(["ls-files", "--cached", "-z", "--", ...files], place)
  const known = new Set(code === 0 ? output.split("\0") : [])
  return files.filter((file) => known.has(file))
}

const logArguments = [
  "log",
  "--all",
  "--full-history",
  `--max-count=${MAX_COMMITS}`,
  "-z",
  "--format=%h%x09%cs%x09%s",
  "--no-show-signature",
  "--no-ext-diff",
  "--no-textconv",
  "--no-patch",
  "--no-notes",
  "--no-decorate",
  "--no-mailmap",
  "--no-color",
  "--ignore-submodules=all",
]

function readCommit(line: string): readonly Commit[] {
  const [hash = "", date = "", ...subject] = line.split("\t")
  if (!/^[0-9a-f]{4,64}$/.test(hash) || !/^\d{4}-\d\d-\d\d$/.test(date)) return []
  return [{ hash, date, subject: subject.join("\t") }]
}

const MAX_SHOWN = 20
const LONGEST_SUBJECT = 100

export async function historyNotes(
  { exposed, edits, masker }: Pick<SchemaChangeSet, "exposed" | "edits"> & { readonly masker: Masker },
  place: GitPlace,
): Promise<readonly string[]> {
  if (exposed.length === 0) return []
  const found = await commitsOf(exposed, place)
  const secretsFiles = edits.flatMap(({ file, isSecret }) => (isSecret ? [file] : []))
  const tracked = await trackedOf(secretsFiles, place)
  const files = exposed.length > 3 ? `${exposed.slice(0, 3).join(", ")}, …` : exposed.join(", ")
  return [
    `${notes.history.moved(files)} ${because(found)}`,
    ...commitNotes(found, masker),
    ...tracked.map(notes.history.tracked),
  ]
}

function because(found: FoundCommits): string {
  if (found.is !== "commits") return notes.history.unknown(historyReasons[found.is])
  return found.commits.length === 0 ? notes.history.noCommits() : notes.history.replace()
}

function commitNotes(found: FoundCommits, masker: Masker): readonly string[] {
  if (found.is !== "commits") return []
  const shown = found.commits
    .slice(0, MAX_SHOWN)
    .map(({ hash, date, subject }) => notes.history.commit(hash, date, printable(subject, masker)))
  const more = found.commits.length - MAX_SHOWN
  return more > 0 ? [...shown, notes.history.moreCommits(more, found.isAll)] : shown
}

/** Mask before cutting, because half a secret can't be recognized. */
function printable(subject: string, masker: Masker): string {
  const masked = masker.text(subject)
  const plain = masked.replace(/[\p{C}\u2028\u2029]/gu, "\ufffd")
  const short = Array.from(plain).slice(0, LONGEST_SUBJECT).join("")
  return JSON.stringify(short === plain ? short : `${short}…`)
}
