// The context of all file calls, the locations of files, and the search for secrets in text for the page.

import type { Project } from "@callsheet/format"
import { scriptsFolder } from "@callsheet/language"
import type { TextPlace, WriteOptions } from "@callsheet/project"
import { messages } from "../messages.ts"
import { CallRefused } from "../handlers.ts"
import { filePath, type FileName } from "../calls/index.ts"
import type { ChangeSets } from "../change-sets/change-sets.ts"
import type { KnownProject } from "../project/read-parts.ts"
import type { NewSecrets } from "../secrets/secrets-masker.ts"
import type { Drafts, DraftsOptions } from "./drafts.ts"
import type { ScriptParser } from "./script-parser.ts"
import type { TypeChecks } from "../type-checks/create-type-checks.ts"

export interface FileHandlersOptions extends DraftsOptions, KnownProject {
  readonly scriptEntry: URL
  /** Returns whether other machines can reach the server. If so, scripts can't be saved. */
  readonly isRemote: () => boolean
  readonly noteChange: () => void
  /** Records that the user wrote a script. `path` is relative to the project's root. */
  readonly trustText?: (path: string, text: string) => void
  /** Records that the user reviewed updated imports. A script without an earlier approval stays unapproved. */
  readonly trustFixed?: (path: string, before: string, after: string) => void
  /** Records that a workflow has a new name. */
  readonly noteRename?: (from: string, to: string) => void
  readonly changeSets: ChangeSets
  readonly now?: () => Date
  /** The time that the compiler has to answer. */
  readonly typeLimitMs?: number
  readonly write?: WriteOptions
}

export interface FileContext extends FileHandlersOptions {
  readonly drafts: Drafts
  readonly parser: ScriptParser
  readonly types: TypeChecks
}

export const placeOf = (file: FileName): TextPlace => ({
  file: filePath(file),
  ...(file.kind === "script" && { within: scriptsFolder(file.workflow) }),
})

export async function hidesSecret(context: FileContext, file: FileName, text: string): Promise<boolean> {
  if (!isOfEnvironments(file)) return false
  const { project, masker } = await context.overview()
  return holdsSecret(file, text, { masker, variablesOf: variablesIn(project) })
}

/** Returns the current declarations of each API. */
export const variablesIn =
  ({ apis }: Project): NewSecrets["variablesOf"] =>
  (api) =>
    apis.get(api)?.environments.variables

export async function refuseSecrets(context: FileContext, file: FileName, text: string): Promise<void> {
  if (!(await hidesSecret(context, file, text))) return
  throw new CallRefused(403, messages["secret-committed"].hidden(placeOf(file).file))
}

export const isOfEnvironments = (
  file: FileName,
): file is Extract<FileName, { kind: "environment" | "schema" }> =>
  file.kind === "environment" || file.kind === "schema"

/** Returns whether the text contains a secret. In an invalid value file, the key of a secret counts too. */
export function holdsSecret(file: FileName, text: string, { masker, variablesOf }: NewSecrets): boolean {
  if (masker.occursIn(text)) return true
  if (file.kind !== "environment") return false
  const variables = [...(variablesOf(file.api) ?? [])]
  const names = variables.filter(([, { secret }]) => secret === true).map(([name]) => name)
  return names.some((name) => isGiven(JSON.stringify(name), text))
}

function isGiven(key: string, text: string): boolean {
  const given = /\s*:\s*(?!null\b|""|\s)/y
  for (let at = text.indexOf(key); at !== -1; at = text.indexOf(key, at + 1)) {
    given.lastIndex = at + key.length
    if (given.test(text)) return true
  }
  return false
}
