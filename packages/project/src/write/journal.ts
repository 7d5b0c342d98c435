// Records a change of several files before it begins. A journal contains names of files but never their contents.

import type { Stats } from "node:fs"
import { dirname, join } from "node:path"
import { attempt, parseJson, readShape, shapes } from "@callsheet/format"
import { JOURNAL_FILE, messages } from "../messages.ts"
import { errorCode } from "../read/reason.ts"
import { syncFolder, writeFileWhole } from "./write-file-whole.ts"
import type { WriteScope } from "./write-scope.ts"

const slug = "[a-z0-9][a-z0-9_-]*"
const named = "[A-Za-z0-9][A-Za-z0-9._-]*"
const free = "[^./\\\\\\0][^/\\\\\\0]*"
/** Matches script directories and the files that a rename can change. */
const ownFile = new RegExp(
  `^callsheet\\.json$|^apis/(?:${slug}/environments/${named}|${slug}/requests/${free}/${free}\\.json|workflow/${named}\\.json|workflow/scripts/${named}(?:/${free})*)$`,
)
const tempPath = /^(?:[^/\\\0]+\/)*\.callsheet-[0-9a-f]{16}\.secrets\.env$/

const { enumOf, either, nothing, number, object, required, string, array, variant, version } = shapes

const check = (isAllowed: (text: string) => boolean) => (text: string) =>
  isAllowed(text) ? undefined : messages["field-value"].journal()

const identity = object({
  inode: required(string(), "The inode number."),
  size: required(number(), "In bytes."),
  modifiedMs: required(number(), "The time of the last change, in milliseconds."),
})
export type FileIdentity = shapes.TypeOf<typeof identity>

const kind = <const K extends string>(name: K) => required(enumOf(name), "The action.")
const file = required(
  string(check((path) => ownFile.test(path))),
  "The path from the project's root, with `/`.",
)
const before = required(identity, "The file as the change read it.")

const steps = {
  replace: object({
    do: kind("replace"),
    file,
    temp: required(
      string(check((path) => tempPath.test(path) && !path.split("/").includes(".."))),
      "The prepared file that replaces it.",
    ),
    before: required(either("a file or null", identity, nothing), "Null for a new file."),
  }),
  move: object({ do: kind("move"), file, to: file, before }),
  remove: object({ do: kind("remove"), file, before }),
}
/** Must be idempotent. */
export type JournalStep = shapes.TypeOf<(typeof steps)[keyof typeof steps]>

const journal = object({
  version: required(version, "The version of the format."),
  title: required(string(), 'For messages: `rename the environment "a" of the API "shop" to "b"`.'),
  steps: required(
    array(() => variant<JournalStep>({ name: "step", tag: "do", variants: steps, summaries: {} })),
    "In execution order.",
  ),
})
export type Journal = Pick<shapes.TypeOf<typeof journal>, "title" | "steps">

export function writeJournal(scope: WriteScope, { title, steps }: Journal): void {
  const text = `${JSON.stringify({ version: 1, title, steps }, null, 2)}\n`
  writeFileWhole(scope, JOURNAL_FILE, { bytes: new TextEncoder().encode(text), isSecret: false })
}

/** Removes the journal. Returns false if that fails. The next command then performs the steps. */
export function removeJournal({ project, disk }: WriteScope): boolean {
  try {
    disk.unlinkSync(join(project.realRoot, JOURNAL_FILE))
  } catch (error) {
    if (errorCode(error) !== "ENOENT") return false
  }
  // A failed sync does no harm: if a power failure restores the journal, its steps are already done.
  attempt(() => syncFolder(disk, project.realRoot))
  return true
}

/**
 * Parses a journal. Returns undefined if callsheet didn't write it. A cloned repository may contain a malicious
 * journal. Therefore, a journal can name only files of environments, workflows, scripts and saved requests, and
 * `callsheet.json`. A file that doesn't match `before` isn't changed.
 */
export function parseJournal(text: string): Journal | undefined {
  const parsed = parseJson(text)
  const read = parsed.ok ? readShape(journal, parsed.value).value : undefined
  const isNear = (step: JournalStep): boolean => step.do !== "move" || dirname(step.to) === dirname(step.file)
  return read?.steps.every(isNear) === true ? read : undefined
}

export const identityOf = ({ ino, size, mtimeMs }: Stats): FileIdentity => ({
  inode: String(ino),
  size,
  modifiedMs: mtimeMs,
})

/** Compares a file with an identity. `null` stands for a missing file. */
export function isSameFile(stats: Stats | undefined, identity: FileIdentity | null): boolean {
  if (stats === undefined || identity === null) return stats === undefined && identity === null
  const found = identityOf(stats)
  return (
    found.inode === identity.inode && found.size === identity.size && found.modifiedMs === identity.modifiedMs
  )
}
