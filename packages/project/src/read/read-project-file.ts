// Any file inside the project by its path: the body of a request, a part of an OpenAPI document.

import { realpathSync, statSync } from "node:fs"
import { isAbsolute, join, normalize, sep } from "node:path"
import { CallsheetError, getOrCreate, memo, type ReadFile, type ReadFileResult } from "@callsheet/format"
import {
  isInFolder,
  openProjectFolder,
  readBytes,
  readDocumentText,
  type Entry,
  type ProjectFolder,
} from "./project-folder.ts"
import { reasonOf } from "./reason.ts"

/** A file that is sent as a body is held in memory: at most 256 MiB. */
const MAX_BODY_FILE_BYTES = 256 * 1024 * 1024

/** Reads a regular file by its path from the root, which may hold `..`. Throws `file-unreadable` or `link-outside`. */
export function readProjectFile(root: string, path: string, maxBytes = MAX_BODY_FILE_BYTES): Uint8Array {
  const read = readBytes(entryAt(root, path), maxBytes)
  if (read.ok) return read.value
  throw new CallsheetError(read.problem.code, `${JSON.stringify(path)} ${read.problem.message}`)
}

/** Why a file cannot be sent as a body, or undefined where it can. It is not opened. */
export function checkProjectFile(root: string, path: string): CallsheetError | undefined {
  try {
    const { kind } = entryAt(root, path)
    if (kind === "file") return undefined
    return new CallsheetError("file-unreadable", `${JSON.stringify(path)} is no file`)
  } catch (error) {
    if (error instanceof CallsheetError) return error
    throw error
  }
}

/** What stands at a path from the root; throws where nothing does, or where the way leads out of the project. */
function entryAt(root: string, path: string): Entry {
  const steps = normalize(path)
  if (isAbsolute(path) || /^[A-Za-z]:|^\\/.test(path) || steps.split(sep)[0] === "..") throw outside(path)
  const project = openProjectFolder(root)
  let realPath: string
  try {
    if (path === "" || path.includes("\0")) throw new Error("no path")
    realPath = realpathSync(join(project.root, steps))
    if (isInFolder(project.realRoot, realPath)) {
      const found = statSync(realPath)
      const kind = found.isFile() ? "file" : found.isDirectory() ? "folder" : "other"
      return { name: path, file: path, kind, realPath }
    }
  } catch (error) {
    throw new CallsheetError("file-unreadable", `${JSON.stringify(path)} cannot be read: ${reasonOf(error)}`)
  }
  throw outside(path)
}

const outside = (path: string): CallsheetError =>
  new CallsheetError("link-outside", `${JSON.stringify(path)} leads out of the project`, {
    hint: "write a path inside the project's folder",
  })

/** Reads each file of an opened project once, so that everybody sees the same text. */
export const createFileReader: (project: ProjectFolder) => ReadFile = memo((project: ProjectFolder) => {
  const read = new Map<string, ReadFileResult>()
  return (path: string) => getOrCreate(read, path, () => readOnce(project, path))
})

function readOnce(project: ProjectFolder, path: string): ReadFileResult {
  try {
    return readDocumentText(entryAt(project.root, path))
  } catch (error) {
    if (!(error instanceof CallsheetError)) throw error
    // The path stands in front of what is wrong with it: whoever asks says it.
    const message = error.message.replace(`${JSON.stringify(path)} `, "")
    return { ok: false, problem: { code: error.code, message, hint: error.hint } }
  }
}
