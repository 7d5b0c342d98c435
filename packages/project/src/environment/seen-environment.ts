// What a caller has seen of an environment's two files: a change that was made from it must not meet another state.

import { createHash } from "node:crypto"
import type { Problem } from "@callsheet/format"
import { readForEdit, type EditableFile, type WriteScope } from "../write/write-scope.ts"
import { secretsFile, throwIfAny, valueFile } from "./environment-files.ts"

/** By `fingerprint`. */
export interface SeenEnvironment {
  readonly values: string | null
  readonly secrets: string | null
}

/** The two files of an environment, as they are about to be changed. */
export interface EnvironmentFilesForEdit {
  readonly values: EditableFile
  readonly secrets: EditableFile
}

export const readBothForEdit = (
  scope: WriteScope,
  api: string,
  environment: string,
): EnvironmentFilesForEdit => ({
  values: readForEdit(scope, valueFile(api, environment)),
  secrets: readForEdit(scope, secretsFile(api, environment)),
})

/** Tells apart two states of a file by its text without byte order mark; null, that of no file, for undefined. */
export const fingerprint = (text: string | undefined): string | null =>
  text === undefined ? null : createHash("sha256").update(text).digest("hex")

/** What is seen of two texts, of which each may hold a byte order mark; undefined where there is no file. */
export const seenIn = (texts: {
  readonly values: string | undefined
  readonly secrets: string | undefined
}): SeenEnvironment => ({ values: print(texts.values), secrets: print(texts.secrets) })

const print = (text: string | undefined): string | null => fingerprint(text?.replace(/^\ufeff/, ""))

/** Throws `file-changed` where a file has changed since the caller has read it. */
export function requireSeen(
  seen: SeenEnvironment | undefined,
  { values, secrets }: EnvironmentFilesForEdit,
): void {
  if (seen === undefined) return
  const now = seenIn({ values: values.text, secrets: secrets.text })
  const changed = [
    ...(now.values === seen.values ? [] : [values.file]),
    ...(now.secrets === seen.secrets ? [] : [secrets.file]),
  ]
  throwIfAny(changed.map(changedFile))
}

/** The problem that a file is another by now. */
export const changedFile = (file: string): Problem => ({
  code: "file-changed",
  severity: "error",
  file,
  message: "another program has changed the file since it was read; nothing was written",
})
