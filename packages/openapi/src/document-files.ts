// The other files that a document's references lead to: each is read and parsed once, when one first leads there.

import type { Finding, JsonValue, Problem, ReadFile, SourceFile } from "@callsheet/format"
import type { ReadText } from "./read-text-file.ts"

/** More files are not opened for one document. */
export const MAX_FILES = 2000

export interface DocumentFile {
  readonly source: SourceFile
  /** Its whole content: an object, or anything else. */
  readonly root: JsonValue
}

export type OpenedFile =
  | { readonly ok: true; readonly file: DocumentFile }
  /** `inside`: what is wrong in the file itself, which then stands for all references that lead there. */
  | { readonly ok: false; readonly problem: Finding; readonly inside: readonly Problem[] }

export interface DocumentFiles {
  /** Opens a file by its path from the project root. */
  readonly open: (path: string) => OpenedFile
}

export interface FilesOptions {
  readonly readFile: ReadFile
  /** Reads the text of a file, by its name as JSON or as YAML. */
  readonly parse: (source: SourceFile) => ReadText
}

export function createDocumentFiles({ readFile, parse }: FilesOptions): DocumentFiles {
  const opened = new Map<string, OpenedFile>()
  return {
    open: (path) => {
      let file = opened.get(path)
      if (file === undefined) {
        if (opened.size >= MAX_FILES)
          return refuse("document-invalid", `the document leads to more than ${MAX_FILES} files`)
        file = openFile(path, { readFile, parse })
        opened.set(path, file)
      }
      return file
    },
  }
}

function openFile(path: string, { readFile, parse }: FilesOptions): OpenedFile {
  const read = readFile(path)
  if (!read.ok) {
    const { code, message, hint } = read.problem
    return { ok: false, problem: { code, message: `${path} ${message}`, hint }, inside: [] }
  }
  const parsed = parse(read.value)
  if (parsed.ok) return { ok: true, file: { source: read.value, root: parsed.value } }
  const { problem } = refuse("document-invalid", `${path} is not well-formed`)
  return { ok: false, problem, inside: parsed.problems }
}

const refuse = (code: Finding["code"], message: string) =>
  ({ ok: false, problem: { code, message }, inside: [] }) as const
