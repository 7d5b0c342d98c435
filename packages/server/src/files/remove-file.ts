// Answers `files.remove`.

import { CallsheetError } from "@callsheet/format"
import { listScriptNames, removeTextFile } from "@callsheet/project"
import { messages } from "../messages.ts"
import type { FileName, Input, Output } from "../calls/index.ts"
import { placeOf, type FileContext } from "./file-context.ts"
import { fileChanged, scriptRefusal } from "./read-and-save.ts"

/** Removes a file. Removes all scripts of a workflow, or none. Other files in their directory stay. */
export async function removeFile(
  context: FileContext,
  input: Input<"files.remove">,
): Promise<Output<"files.remove">> {
  const { file, etag } = input
  requireMovable(context, file)
  const { project } = await context.overview()
  const { findUses } = await import("./inspect-files.ts")
  const { uses } = findUses(project, file)
  const scripts = scriptsOf(context, file)
  if (scripts.length > 0 && context.isRemote()) throw scriptRefusal()
  const along = scripts.map((script) => placeOf(script).file)
  const removed = await removeTextFile({ root: context.root, ...placeOf(file), etag, along }, context.write)
  if (removed.do === "changed") throw await fileChanged(context, file, removed.current)
  for (const gone of [file, ...scripts]) context.drafts.drop(gone)
  context.noteChange()
  return { uses, scripts: scripts.map(({ script }) => script) }
}

type ScriptName = Extract<FileName, { readonly kind: "script" }>

const scriptsOf = ({ root }: FileContext, file: FileName): readonly ScriptName[] =>
  file.kind === "workflow"
    ? listScriptNames(root, file.workflow).map((script) => ({
        kind: "script",
        workflow: file.workflow,
        script,
      }))
    : []

/** Throws 403 for a script if other machines can reach the server. */
export function requireMovable({ isRemote }: FileContext, file: FileName): void {
  if (file.kind === "schema" || file.kind === "environment")
    throw new CallsheetError(messages.usage.environmentFile())
  if (file.kind === "project" || file.kind === "baseline")
    throw new CallsheetError(messages.usage.projectFile(placeOf(file).file))
  if (file.kind === "script" && isRemote()) throw scriptRefusal()
}
