// What is done to the files of scripts: each resolves to what stood in the way.

import type { Input } from "../../api.ts"
import { call } from "../connection/call.ts"
import { Refused } from "../connection/send.ts"
import { queryClient } from "../data/query-client.ts"
import { closeFile, dirtyFilesNow } from "../editing/open-files.ts"
import { fileKey } from "../editing/file-key.ts"
import { goTo } from "../places/use-place.ts"
import { visibleText } from "../text/visible-text.ts"

export interface ScriptId {
  readonly workflow: string
  readonly script: string
}

const fileOf = ({ workflow, script }: ScriptId): Input<"files.read">["file"] => ({
  kind: "script",
  workflow,
  script,
})

/** Writes a new one; `then` is what is done with it. */
export function createScript(
  id: ScriptId,
  text: string,
  then: (id: ScriptId) => void,
): Promise<string | undefined> {
  return attempt(async () => {
    await call("files.save", { file: fileOf(id), etag: null, text })
    refresh()
    then(id)
  })
}

/** Gives it another name, and shows it under that. */
export function renameScript(id: ScriptId, script: string): Promise<string | undefined> {
  const to = { workflow: id.workflow, script }
  return attempt(async () => {
    requireSaved(id)
    const { etag } = await call("files.read", { file: fileOf(id) })
    await call("files.rename", { file: fileOf(id), etag, to: fileOf(to) })
    closeFile(fileOf(id))
    showScript(to)
  })
}

/** Deletes it with its draft, and shows its workflow. */
export function deleteScript(id: ScriptId): Promise<string | undefined> {
  return attempt(async () => {
    const { etag } = await call("files.read", { file: fileOf(id) })
    await call("files.remove", { file: fileOf(id), etag })
    closeFile(fileOf(id))
    await call("drafts.drop", { file: fileOf(id) })
    refresh()
    goTo({ kind: "workflow", workflow: id.workflow })
  })
}

function requireSaved(id: ScriptId): void {
  const key = fileKey(fileOf(id))
  if (dirtyFilesNow().some((file) => fileKey(file) === key))
    throw new Hindrance("It has unsaved changes: save or discard them first.")
}

/** What stands in the way, in words of ours. */
class Hindrance extends Error {}

export function showScript({ workflow, script }: ScriptId): void {
  refresh()
  goTo({ kind: "script", workflow, script })
}

function refresh(): void {
  for (const of of ["scripts", "drafts"]) void queryClient.invalidateQueries({ queryKey: [of] })
}

async function attempt(act: () => Promise<void>): Promise<string | undefined> {
  try {
    await act()
    return undefined
  } catch (error) {
    if (error instanceof Hindrance) return error.message
    if (!(error instanceof Refused)) return "callsheet app does not answer. Nothing was changed."
    const { code, message, hint } = error.failure
    if (code === "file-changed" || code === "file-exists") return "There is a file of that name."
    return visibleText(hint === undefined ? message : `${message}: ${hint}`)
  }
}
