// Whether the scripts of a run may be loaded: the person is asked first about those that changed since they last said yes.

import { createHash } from "node:crypto"
import type { ScriptContents } from "@callsheet/engine"
import type { Project } from "@callsheet/format"
import type { TrustQuestion } from "../calls/index.ts"
import type { Confirmations } from "./confirmations.ts"
import { findScriptFiles } from "./script-files.ts"
import type { ScriptTrust } from "./script-trust.ts"

interface TrustGateOptions {
  readonly project: Project
  readonly workflow: string
  /** What the person has answered before. */
  readonly answer: string | undefined
  readonly confirmations: Confirmations
  readonly trust: ScriptTrust
}

/** What to ask the person; or, where every script is known or the answer is for these very files, what may be run. */
type TrustAnswer =
  | { readonly question: TrustQuestion }
  | { readonly question?: never; readonly contents: ScriptContents }

export async function askForTrust(options: TrustGateOptions): Promise<TrustAnswer> {
  const { project, workflow, answer, confirmations, trust } = options
  const { files, contents } = await findScriptFiles(project, workflow)
  const scripts = trust.unknown(files)
  if (scripts.length === 0) return { contents }
  const subject = createHash("sha256")
    .update(JSON.stringify(["trust", workflow, files]))
    .digest("hex")
  if (answer === undefined || !confirmations.take(answer, subject))
    return { question: { confirmation: confirmations.issue(subject), scripts } }
  trust.trust(files)
  return { contents }
}
