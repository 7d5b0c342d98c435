// What all calls about files work with, and what a page may see of a text.

import type { WriteOptions } from "@callsheet/project"
import type { FileName } from "../calls/index.ts"
import { CallRefused } from "../call-refused.ts"
import type { Plans } from "../plans/plans.ts"
import type { KnownProject } from "../project/read-parts.ts"
import type { Drafts, DraftsOptions } from "./drafts.ts"
import { placeOf } from "./file-parts.ts"
import { holdsSecret } from "./holds-secret.ts"
import type { ScriptParser } from "./script-parser.ts"

export interface FileHandlersOptions extends DraftsOptions, KnownProject {
  /** The bundled entry of the script process, which parses scripts and runs none. */
  readonly scriptEntry: URL
  /** Whether other machines can reach the server: then no script is saved. */
  readonly isRemote: () => boolean
  /** Files were changed. */
  readonly noteChange: () => void
  /** The person has written this script. `path` is from the root of the project. */
  readonly trustText?: (path: string, text: string) => void
  /** Its imports were mended, which the person has seen. What they had not said yes to before they have not now. */
  readonly trustMended?: (path: string, before: string, after: string) => void
  /** Where what is shown first is kept. */
  readonly plans: Plans
  /** The time that drafts are dated with. */
  readonly now?: () => Date
  /** For tests: how files are written. */
  readonly write?: WriteOptions
}

export interface Desk extends FileHandlersOptions {
  readonly drafts: Drafts
  readonly parser: ScriptParser
}

/** Of files of environments: a value of a secret there is shown by no text. */
export async function hidesSecret(desk: Desk, file: FileName, text: string): Promise<boolean> {
  if (file.kind !== "environment" && file.kind !== "schema") return false
  const { project, masker } = await desk.overview()
  const variables = project.apis.get(file.api)?.environments.variables ?? new Map()
  return holdsSecret({ text, masker, isSchema: file.kind === "schema", variables })
}

/** Throws 403 for a text that may not be shown. */
export async function requireShowable(desk: Desk, file: FileName, text: string): Promise<void> {
  if (!(await hidesSecret(desk, file, text))) return
  const path = JSON.stringify(placeOf(file).file)
  throw new CallRefused(403, "secret-committed", `${path} holds the value of a secret, and is not shown`, {
    hint: "open it in your editor",
  })
}
