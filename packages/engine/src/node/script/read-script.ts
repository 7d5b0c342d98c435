// The text of a script's file: a regular file of UTF-8, of at most 16 MiB, without a byte order mark.

import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs"
import { decodeText, type ProblemCode } from "@callsheet/format"

export type ReadScript =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false
      readonly code: ProblemCode
      readonly message: string
      /** Where there are some that are no UTF-8. */
      readonly bytes?: Uint8Array
    }

/** As large as any other file that people write for a project. */
const MAX_SCRIPT_BYTES = 16 * 1024 * 1024

/** Reads without waiting for a pipe; `file` is an absolute path without links. */
export function readScript(file: string): ReadScript {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const status = fstatSync(descriptor)
    if (!status.isFile()) return unreadable("it is not a file")
    return status.size > MAX_SCRIPT_BYTES ? tooLarge(status.size) : parseScript(readFileSync(descriptor))
  } catch (error) {
    return unreadable(reasonOf(error))
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

export function parseScript(bytes: Uint8Array): ReadScript {
  if (bytes.length > MAX_SCRIPT_BYTES) return tooLarge(bytes.length)
  const decoded = decodeText(bytes)
  return decoded.ok
    ? { ok: true, text: decoded.text }
    : { ok: false, code: decoded.finding.code, message: decoded.finding.message, bytes }
}

const unreadable = (reason: string): ReadScript => ({
  ok: false,
  code: "file-unreadable",
  message: `cannot be read: ${reason}`,
})

const tooLarge = (size: number): ReadScript =>
  unreadable(`it holds ${size} bytes; the limit is ${MAX_SCRIPT_BYTES}`)

/** Never the system's own message, which holds absolute paths. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  return code === "EACCES" || code === "EPERM" ? "permission denied" : `the system says ${String(code)}`
}
