// The server's answer about a file, if it has answered.

import { filePath, type CallFailure, type FileName } from "@callsheet/server/calls"
import type { call } from "../connection/call.ts"
import { Refused } from "../connection/send.ts"
import type { Opened } from "./file-state.ts"

type FileRead =
  | ({ readonly ok: true } & Opened)
  /** Undefined if the server didn't answer. The read is then repeated. */
  | { readonly ok: false; readonly failure: CallFailure | undefined }

export async function readFile(ask: typeof call, file: FileName): Promise<FileRead> {
  try {
    const { path, text, etag, draft } = await ask("files.read", { file })
    return { ok: true, path, disk: etag === null ? null : { text, etag }, draft }
  } catch (error) {
    if (!(error instanceof Refused)) return { ok: false, failure: undefined }
    if (error.failure.code === "file-missing") return { ok: true, path: filePath(file), disk: null }
    return { ok: false, failure: error.failure }
  }
}
