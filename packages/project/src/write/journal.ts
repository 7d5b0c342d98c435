// The journal of a change of several files: what is about to happen, on disk before it does. It holds names, no contents.

import { dirname, join } from "node:path"
import { isJsonArray, isJsonObject, parseJson, type JsonObject, type JsonValue } from "@callsheet/format"
import type { FileIdentity } from "./file-identity.ts"
import { JOURNAL_FILE } from "./journal-file.ts"
import { errorCode } from "../read/reason.ts"
import { syncFolder, writeFileWhole } from "./write-file-whole.ts"
import type { WriteScope } from "./write-scope.ts"

export interface Journal {
  /** What the change does, for people: `rename the environment "a" of the API "shop" to "b"`. */
  readonly title: string
  readonly steps: readonly JournalStep[]
}

/** Paths are from the project root, with `/`. Each step can be done twice. */
export type JournalStep =
  | {
      readonly do: "replace"
      readonly file: string
      /** The prepared file that takes its place. */
      readonly temp: string
      /** `null` where there is no file yet. */
      readonly before: FileIdentity | null
    }
  | { readonly do: "move"; readonly file: string; readonly to: string; readonly before: FileIdentity }
  | { readonly do: "remove"; readonly file: string; readonly before: FileIdentity }

export function writeJournal(scope: WriteScope, { title, steps }: Journal): void {
  const text = `${JSON.stringify({ version: 1, title, steps }, null, 2)}\n`
  writeFileWhole(scope, JOURNAL_FILE, { bytes: new TextEncoder().encode(text), isSecret: false })
}

/** False where it cannot be removed: then the next command does what it says. */
export function removeJournal({ project, disk }: WriteScope): boolean {
  try {
    disk.unlinkSync(join(project.realRoot, JOURNAL_FILE))
  } catch (error) {
    if (errorCode(error) !== "ENOENT") return false
  }
  try {
    syncFolder(disk, project.realRoot)
  } catch {
    // One that comes back after a power failure finds its steps done.
  }
  return true
}

/**
 * Reads a journal's text; undefined where it is none of ours. A journal may come from a stranger, with a repository: it can
 * name nothing but files of environments, workflows, scripts and saved requests, and `before` keeps it from touching files
 * that it has not seen.
 */
export function parseJournal(text: string): Journal | undefined {
  const parsed = parseJson(text)
  if (!parsed.ok || !isJsonObject(parsed.value) || parsed.value["version"] !== 1) return undefined
  const { title, steps } = parsed.value
  if (typeof title !== "string" || !isJsonArray(steps)) return undefined
  const read = steps.map(readStep)
  return read.includes(undefined) ? undefined : { title, steps: read.filter((step) => step !== undefined) }
}

function readStep(value: JsonValue): JournalStep | undefined {
  if (!isJsonObject(value)) return undefined
  const { do: kind, file, temp, to, before } = value
  if (!isOwnFile(file)) return undefined
  const identity = readIdentity(before)
  if (kind === "replace") {
    if (!isTempPath(temp) || dirname(temp) === "." || identity === undefined) return undefined
    return { do: kind, file, temp, before: identity }
  }
  if (identity === undefined || identity === null) return undefined
  if (kind === "remove") return { do: kind, file, before: identity }
  if (kind !== "move" || !isOwnFile(to) || dirname(to) !== dirname(file)) return undefined
  return { do: kind, file, to, before: identity }
}

const slug = "[a-z0-9][a-z0-9_-]*"
const named = "[A-Za-z0-9][A-Za-z0-9._-]*"
const free = "[^./\\\\\\0][^/\\\\\\0]*"
/** What changes together when a variable, an environment or a workflow gets another name; of scripts their folder too. */
const ownFile = new RegExp(
  `^apis/(?:${slug}/environments/${named}|${slug}/requests/${free}/${free}\\.json|workflow/${named}\\.json|workflow/scripts/${named}(?:/${free})*)$`,
)
const tempPath = /^(?:[^/\\\0]+\/)*\.callsheet-[0-9a-f]{16}\.secrets\.env$/

const isOwnFile = (file: JsonValue | undefined): file is string =>
  typeof file === "string" && ownFile.test(file)

const isTempPath = (file: JsonValue | undefined): file is string =>
  typeof file === "string" && tempPath.test(file) && !file.split("/").includes("..")

function readIdentity(value: JsonValue | undefined): FileIdentity | null | undefined {
  if (value === null) return null
  if (value === undefined || !isJsonObject(value)) return undefined
  const { inode, size, modifiedMs }: JsonObject = value
  if (typeof inode !== "string" || typeof size !== "number" || typeof modifiedMs !== "number")
    return undefined
  return { inode, size, modifiedMs }
}
