// Creates, renames and deletes scripts. Rejects if it fails.

import type { ChangePreview, Input, ScriptId } from "@callsheet/server/calls"
import { call } from "../connection/call.ts"
import { UserError, throwNameTaken } from "../connection/fault-of.ts"
import { queryClient } from "../connection/query-client.ts"
import { closeFile, dirtyFilesNow } from "../files/open-files.ts"
import { fileKey } from "../files/file-key.ts"
import { goTo } from "../routes/use-route.ts"
import { closeTab, renameTab } from "../routes/open-tabs.ts"

const fileOf = ({ workflow, script }: ScriptId): Input<"files.read">["file"] => ({
  kind: "script",
  workflow,
  script,
})

export async function createScript(id: ScriptId, text: string): Promise<void> {
  await call("files.save", { file: fileOf(id), etag: null, text }).catch(throwNameTaken)
  refresh()
}

export async function planScriptName(id: ScriptId, script: string): Promise<ChangePreview> {
  if (script === id.script) throw new UserError("That is already its name.")
  requireSaved(id)
  const { etag } = await call("files.read", { file: fileOf(id) })
  return call("files.planRename", { file: fileOf(id), etag, to: fileOf({ ...id, script }) })
}

export async function scriptWasRenamed(id: ScriptId, script: string): Promise<void> {
  closeFile(fileOf(id))
  refresh()
  renameTab({ kind: "script", ...id }, { kind: "script", ...id, script })
}

/** Deletes a script with its draft, and goes to its workflow. */
export async function deleteScript(id: ScriptId): Promise<void> {
  const { etag } = await call("files.read", { file: fileOf(id) })
  await call("files.remove", { file: fileOf(id), etag })
  closeFile(fileOf(id))
  await call("drafts.drop", { file: fileOf(id) })
  refresh()
  closeTab({ kind: "script", ...id }, { kind: "workflow", workflow: id.workflow })
}

function requireSaved(id: ScriptId): void {
  const key = fileKey(fileOf(id))
  if (dirtyFilesNow().some((file) => fileKey(file) === key))
    throw new UserError("It has unsaved changes: save or discard them first.")
}

export function showScript({ workflow, script }: ScriptId): void {
  refresh()
  goTo({ kind: "script", workflow, script })
}

function refresh(): void {
  for (const of of ["scripts", "drafts"]) void queryClient.invalidateQueries({ queryKey: [of] })
}
