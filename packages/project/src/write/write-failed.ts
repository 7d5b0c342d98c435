// The errors of a failed write: the file and the reason.

import { CallsheetError } from "@callsheet/format"
import { messages, NOTHING_CHANGED } from "../messages.ts"
import { reasonOf } from "../read/reason.ts"

/** Converts a system error to `write-failed`, without absolute paths. Returns callsheet's own errors unchanged. */
export function writeFailed(file: string, why: unknown, hint = NOTHING_CHANGED): CallsheetError {
  if (why instanceof CallsheetError) return why
  const reason = typeof why === "string" ? why : reasonFor(why)
  const cause = typeof why === "string" ? undefined : why
  return new CallsheetError(messages["write-failed"].failed(file, reason, hint), { cause })
}

export function reasonFor(error: unknown): string {
  if (error instanceof ShortWrite) return error.message
  return reasonOf(error)
}

/** Thrown if the system wrote too few bytes without reporting an error. */
export class ShortWrite extends Error {
  override readonly name = "ShortWrite"
  constructor(written: number, wanted: number) {
    super(`only ${written} of ${wanted} bytes were written; the disk may be full`)
  }
}

/** Thrown if a file has changed since its change set was made, to make it again. Never reaches the caller. */
export class ChangedMeanwhile extends Error {
  override readonly name = "ChangedMeanwhile"
  readonly file: string

  constructor(file: string) {
    super("another program changed it")
    this.file = file
  }
}
