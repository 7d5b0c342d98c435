// Answers `files.rename` and `files.remove`.

import { CallsheetError } from "@callsheet/format"
import { listScriptNames, moveTextFile, removeTextFile } from "@callsheet/project"
import { messages } from "../messages.ts"
import type { FileName, Input, Output } from "../calls/index.ts"
import { placeOf, type FileContext } from "./file-context.ts"
import { changed, scriptRefusal } from "./read-and-save.ts"

/** Renames a file. The scripts of a workflow and all drafts move with it. */
export async function renameFile(
  context: FileContext,
  input: Input<"files.rename">,
): Promise<Output<"files.rename">> {
  const { file, etag, to } = input
  requireMovable(context, file)
  requireSameFolder(file, to)
  if (file.kind !== "workflow" || to.kind !== "workflow") throw new CallsheetError(messages.usage.planned())
  const [from, into] = [placeOf(file), placeOf(to)]
  const along = { from: scriptsFolder(file), to: scriptsFolder(to) }
  const request = { root: context.root, from, to: into, etag, along, title: titleOf(file, to) }
  const moved = await moveTextFile(request, context.write)
  if (moved.do === "changed") throw await changed(context, file, moved.current)
  moveDrafts(context, file, to)
  if (moved.files.length > 0) context.noteChange()
  return { etag: moved.etag }
}

/** Removes a file. Removes all scripts of a workflow, or none. Other files in their directory stay. */
export async function removeFile(
  context: FileContext,
  input: Input<"files.remove">,
): Promise<Output<"files.remove">> {
  const { file, etag } = input
  requireMovable(context, file)
  const { project } = await context.overview()
  const { findUses } = await import("./inspect-files.ts")
  const uses = findUses(project, file)
  const scripts = scriptsOf(context, file)
  if (scripts.length > 0 && context.isRemote()) throw scriptRefusal()
  const along = scripts.map((script) => placeOf(script).file)
  const removed = await removeTextFile({ root: context.root, ...placeOf(file), etag, along }, context.write)
  if (removed.do === "changed") throw await changed(context, file, removed.current)
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
  if (file.kind === "project") throw new CallsheetError(messages.usage.projectFile())
  if (file.kind === "script" && isRemote()) throw scriptRefusal()
}

/** Throws if a file would move to another workflow or API, which would not find it. */
export function requireSameFolder(file: FileName, to: FileName): void {
  const isNear =
    (file.kind === "workflow" && to.kind === "workflow") ||
    (file.kind === "script" && to.kind === "script" && file.workflow === to.workflow) ||
    (file.kind === "request" && to.kind === "request" && file.api === to.api)
  if (isNear) return
  throw new CallsheetError(messages.usage.otherPlace())
}

type WorkflowName = Extract<FileName, { readonly kind: "workflow" }>

const scriptsFolder = ({ workflow }: WorkflowName): string => `apis/workflow/scripts/${workflow}`

export function titleOf(file: FileName, to: FileName): string {
  const [from, into] = [placeOf(file).file, placeOf(to).file].map((path) => JSON.stringify(path))
  return `rename ${from} to ${into}`
}

function moveDrafts({ drafts }: FileContext, file: WorkflowName, to: WorkflowName): void {
  if (file.workflow === to.workflow) return
  drafts.move(file, to)
  for (const { file: other } of drafts.list()) {
    if (other.kind === "script" && other.workflow === file.workflow)
      drafts.move(other, { ...other, workflow: to.workflow })
  }
}
