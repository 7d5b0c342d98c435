// Reads a script's file, which must be a regular UTF-8 file of at most 16 MiB.

import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs"
import { decodeText, type Finding } from "@callsheet/format"
import { messages } from "../../messages.ts"

export type ReadScript =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false
      readonly finding: Finding
      readonly bytes?: Uint8Array
    }

/** The same limit as for other project files. */
const MAX_SCRIPT_BYTES = 16 * 1024 * 1024

/** Reads a script. Doesn't block on a pipe. `file` is an absolute path without links. */
export function readScript(file: string): ReadScript {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const status = fstatSync(descriptor)
    if (!status.isFile()) return unreadable(says.notFile())
    return status.size > MAX_SCRIPT_BYTES ? tooLarge(status.size) : parseScript(readFileSync(descriptor))
  } catch (error) {
    return unreadable(findingOf(error))
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

export function parseScript(bytes: Uint8Array): ReadScript {
  if (bytes.length > MAX_SCRIPT_BYTES) return tooLarge(bytes.length)
  const decoded = decodeText(bytes)
  return decoded.ok ? { ok: true, text: decoded.text } : { ok: false, finding: decoded.finding, bytes }
}

const says = messages["file-unreadable"]

const unreadable = (finding: Finding): ReadScript => ({ ok: false, finding })

const tooLarge = (size: number): ReadScript => unreadable(says.tooLarge(size, MAX_SCRIPT_BYTES))

/** Converts an error to a finding. Omits the system's message, which contains absolute paths. */
function findingOf(error: unknown): Finding {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  return code === "EACCES" || code === "EPERM" ? says.denied() : says.system(String(code))
}
