// A file as it is about to be changed: its bytes, and its text with a byte order mark if it has one.

import { CallsheetError } from "@callsheet/format"
import { locateFile, readTarget, type WriteScope } from "../write/write-scope.ts"

export interface EditableFile {
  readonly file: string
  /** Both absent where there is no file. */
  readonly bytes: Uint8Array | undefined
  readonly text: string | undefined
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Throws `file-encoding` where the bytes are not UTF-8: what cannot be read is never written over. */
export function readForEdit(scope: WriteScope, file: string): EditableFile {
  const bytes = readTarget(scope, locateFile(scope, file))
  if (bytes === undefined) return { file, bytes, text: undefined }
  try {
    return { file, bytes, text: decoder.decode(bytes) }
  } catch {
    throw new CallsheetError("file-encoding", `${JSON.stringify(file)} is not UTF-8`, {
      hint: "save the file as UTF-8",
    })
  }
}
