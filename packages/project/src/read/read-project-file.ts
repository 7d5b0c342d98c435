// Reads any file inside the project by its path, such as a request body or a part of an OpenAPI document.

import { realpathSync, statSync } from "node:fs"
import { isAbsolute, join, normalize, sep } from "node:path"
import {
  CallsheetError,
  getOrCreate,
  memo,
  type Finding,
  type ReadFile,
  type ReadFileResult,
} from "@callsheet/format"
import { inFile, messages } from "../messages.ts"
import {
  checkKind,
  isInFolder,
  kindOf,
  openProjectFolder,
  readBytes,
  readDocumentText,
  type Entry,
  type ProjectFolder,
} from "./project-folder.ts"
import { reasonOf } from "./reason.ts"

/** The maximum size of request bodies, which are kept in memory. */
const MAX_BODY_FILE_BYTES = 256 * 1024 * 1024

/** Reads a regular file by its path from the root, which may contain `..`. Throws `file-unreadable` or `link-outside`. */
export function readProjectFile(root: string, path: string, maxBytes = MAX_BODY_FILE_BYTES): Uint8Array {
  const entry = findEntry(root, path)
  const read = entry.ok ? readBytes(entry.value, maxBytes) : entry
  if (read.ok) return read.value
  throw new CallsheetError(inFile(read.problem, path))
}

/** Returns the reason why a file can't be sent as a body, or undefined. Doesn't open the file. */
export function checkProjectFile(root: string, path: string): Finding | undefined {
  const entry = findEntry(root, path)
  const problem = entry.ok ? checkKind(entry.value) : entry.problem
  return problem === undefined ? undefined : inFile(problem, path)
}

type FoundEntry =
  | { readonly ok: true; readonly value: Entry }
  | { readonly ok: false; readonly problem: Finding }

function findEntry(root: string, path: string): FoundEntry {
  const outside = { ok: false, problem: messages["link-outside"].path() } as const
  const steps = normalize(path)
  if (isAbsolute(path) || /^[A-Za-z]:|^\\/.test(path) || steps.split(sep)[0] === "..") return outside
  const project = openProjectFolder(root)
  try {
    if (path === "" || path.includes("\0")) throw new Error("no path")
    const realPath = realpathSync(join(project.root, steps))
    if (!isInFolder(project.realRoot, realPath)) return outside
    return { ok: true, value: { name: path, file: path, kind: kindOf(statSync(realPath)), realPath } }
  } catch (error) {
    return { ok: false, problem: messages["file-unreadable"].file(reasonOf(error)) }
  }
}

/** Reads each file of an opened project once, so that all readers see the same text. */
export const createFileReader: (project: ProjectFolder) => ReadFile = memo((project: ProjectFolder) => {
  const read = new Map<string, ReadFileResult>()
  return (path: string) =>
    getOrCreate(read, path, () => {
      const entry = findEntry(project.root, path)
      return entry.ok ? readDocumentText(entry.value) : entry
    })
})
