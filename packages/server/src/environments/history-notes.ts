// What a plan says of the history of the repository: a value that leaves a committed file stays in the commits.

import type { TextEdit } from "@callsheet/project"
import { commitsOf, trackedOf, type FoundCommits } from "./git-history.ts"
import type { Masker } from "../secrets/secrets-masker.ts"

interface Exposing {
  /** Value files that a secret's value leaves. */
  readonly exposed: readonly string[]
  readonly edits: readonly TextEdit[]
  readonly masker: Masker
}

interface Place {
  readonly root: string
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
}

const MAX_SHOWN = 20
const LONGEST_SUBJECT = 100

/** Sentences; none where no value leaves a file. */
export async function historyNotes(
  { exposed, edits, masker }: Exposing,
  { root, processEnvironment }: Place,
): Promise<readonly string[]> {
  if (exposed.length === 0) return []
  const place = { root, processEnvironment }
  const found = await commitsOf(exposed, place)
  const secretsFiles = edits.flatMap(({ file, isSecret }) => (isSecret ? [file] : []))
  const tracked = await trackedOf(secretsFiles, place)
  const files = exposed.length > 3 ? `${exposed.slice(0, 3).join(", ")}, …` : exposed.join(", ")
  return [
    `The values leave ${files}. ${because(found)}`,
    ...commitNotes(found, masker),
    ...tracked.map((file) => `${file} is in version control itself: git rm --cached takes it out.`),
  ]
}

function because(found: FoundCommits): string {
  switch (found.is) {
    case "commits":
      return found.commits.length === 0
        ? "No commit has touched these files."
        : "They stay in the history of the repository for everyone who has it: replace the secret itself."
    case "no-git":
      return "Whether commits hold them cannot be told: git is not installed."
    case "no-repository":
      return "Whether commits hold them cannot be told: git sees no repository here."
    case "no-answer":
      return "Whether commits hold them cannot be told: git gave no answer."
  }
}

function commitNotes(found: FoundCommits, masker: Masker): readonly string[] {
  if (found.is !== "commits") return []
  const shown = found.commits
    .slice(0, MAX_SHOWN)
    .map(
      ({ hash, date, subject }) => `Commit ${hash} of ${date} may hold them: ${printable(subject, masker)}`,
    )
  const more = found.commits.length - MAX_SHOWN
  const atLeast = found.isAll ? "" : "at least "
  return more > 0 ? [...shown, `So may ${atLeast}${more} more commits.`] : shown
}

/** Masked before it is cut: half a secret is one too. */
function printable(subject: string, masker: Masker): string {
  const masked = masker.text(subject)
  const plain = masked.replace(/[\p{C}\u2028\u2029]/gu, "\ufffd")
  const short = Array.from(plain).slice(0, LONGEST_SUBJECT).join("")
  return JSON.stringify(short === plain ? short : `${short}…`)
}
