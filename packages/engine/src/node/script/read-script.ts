// The text of a script's file: a regular file of UTF-8, of at most 16 MiB, without a byte order mark.

import { constants } from "node:fs"
import { open } from "node:fs/promises"
import { decodeText, type ProblemCode } from "@callsheet/format"

export type ReadScript =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly code: ProblemCode; readonly message: string }

/** As large as any other file that people write for a project. */
const MAX_SCRIPT_BYTES = 16 * 1024 * 1024

/** Reads without waiting for a pipe; `file` is an absolute path without links. */
export async function readScript(file: string): Promise<ReadScript> {
  let handle: Awaited<ReturnType<typeof open>> | undefined
  try {
    handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const status = await handle.stat()
    if (!status.isFile()) return unreadable("it is not a file")
    if (status.size > MAX_SCRIPT_BYTES) {
      return unreadable(`it holds ${status.size} bytes; the limit is ${MAX_SCRIPT_BYTES}`)
    }
    const decoded = decodeText(await handle.readFile())
    return decoded.ok
      ? { ok: true, text: decoded.text }
      : { ok: false, code: decoded.finding.code, message: decoded.finding.message }
  } catch (error) {
    return unreadable(reasonOf(error))
  } finally {
    await handle?.close()
  }
}

const unreadable = (reason: string): ReadScript => ({
  ok: false,
  code: "file-unreadable",
  message: `cannot be read: ${reason}`,
})

/** Never the system's own message, which holds absolute paths. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  return code === "EACCES" || code === "EPERM" ? "permission denied" : `the system says ${String(code)}`
}
