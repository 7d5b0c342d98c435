// The errors of a write that did not happen: which file, and why.

import { CallsheetError } from "@callsheet/format"
import { errorCode, reasonOf } from "../read/reason.ts"

const reasons = new Map([
  ["ENOSPC", "the disk is full (ENOSPC)"],
  ["EDQUOT", "the disk quota is used up (EDQUOT)"],
  ["EROFS", "the disk is read-only"],
  ["EXDEV", "its folder lies on two disks (EXDEV)"],
  ["EBUSY", "another program holds it open (EBUSY)"],
  ["ETXTBSY", "another program holds it open (ETXTBSY)"],
  ["EFBIG", "it would be too large (EFBIG)"],
  ["EIO", "the disk reports an error (EIO)"],
])

/** The hint of a write that left every byte as it was. */
export const NOTHING_CHANGED = "nothing was changed"

/** A misuse passes through as it is; what the system said becomes `write-failed`, without absolute paths. */
export function writeFailed(file: string, why: unknown, hint = NOTHING_CHANGED): CallsheetError {
  if (why instanceof CallsheetError) return why
  const reason = typeof why === "string" ? why : reasonFor(why)
  return new CallsheetError("write-failed", `${JSON.stringify(file)} could not be written: ${reason}`, {
    hint,
    ...(typeof why === "string" ? {} : { cause: why }),
  })
}

export function reasonFor(error: unknown): string {
  if (error instanceof ShortWrite) return error.message
  return reasons.get(errorCode(error) ?? "") ?? reasonOf(error)
}

/** The system took fewer bytes than it was given, and did not say so. */
export class ShortWrite extends Error {
  override readonly name = "ShortWrite"
  constructor(written: number, wanted: number) {
    super(`only ${written} of ${wanted} bytes were written; the disk may be full`)
  }
}

/** A file is no longer what a change was made from: the change starts again from what is there now. Thrown before anything is replaced, or after what was replaced is put back; it never reaches a caller. */
export class ChangedMeanwhile extends Error {
  override readonly name = "ChangedMeanwhile"
  readonly file: string

  constructor(file: string) {
    super("another program has changed the file")
    this.file = file
  }
}
