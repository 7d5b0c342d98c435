// The files of a project that its OpenAPI documents lead to: each read once, so that all who ask see the same text.

import { CallsheetError, type ReadFile, type ReadFileResult } from "@callsheet/format"
import { readDocumentText, type ProjectFolder } from "./project-folder.ts"
import { entryAt } from "./read-project-file.ts"

const readers = new WeakMap<ProjectFolder, ReadFile>()

/** Makes a reader of texts by their paths from the root; the same one for the same opened project. */
export function createFileReader(project: ProjectFolder): ReadFile {
  let reader = readers.get(project)
  if (reader === undefined) {
    const read = new Map<string, ReadFileResult>()
    reader = (path) => {
      let result = read.get(path)
      if (result === undefined) {
        result = readOnce(project, path)
        read.set(path, result)
      }
      return result
    }
    readers.set(project, reader)
  }
  return reader
}

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
