// Creates, copies, renames and deletes workflows on the server.

import type { ChangePlan, FileName } from "@callsheet/server/calls"
import { call } from "../connection/call.ts"
import { queryClient } from "../connection/query-client.ts"
import { needName } from "../ui/need-name.ts"
import { closeTab, renameTab } from "../shell/explorer/open-tabs.ts"

const fileOf = (workflow: string): FileName => ({ kind: "workflow", workflow })

const heardOf = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ["project"] })

/** `from` is the JSON of the first block. */
export async function createWorkflow(workflow: string, from: string | undefined): Promise<void> {
  const blocks: unknown = JSON.parse(`[${from ?? ""}]`)
  const text = `${JSON.stringify({ version: 1, blocks }, null, 2)}\n`
  await call("files.save", { file: fileOf(workflow), etag: null, text })
  await heardOf()
}

/** Copies the scripts too, without unsaved changes. */
export async function duplicateWorkflow(workflow: string, to: string): Promise<void> {
  const { text } = await call("files.read", { file: fileOf(workflow) })
  await call("files.save", { file: fileOf(to), etag: null, text })
  const { scripts } = await call("files.list", { workflow })
  for (const { script } of scripts) {
    const read = await call("files.read", { file: { kind: "script", workflow, script } })
    const file: FileName = { kind: "script", workflow: to, script }
    await call("files.save", { file, etag: null, text: read.text })
  }
  await heardOf()
}

export async function planWorkflowName(workflow: string, to: string): Promise<ChangePlan> {
  needName(to, workflow)
  const file = fileOf(workflow)
  const { etag } = await call("files.read", { file })
  return call("files.planRename", { file, etag, to: fileOf(to) })
}

/** Shows the workflow under its new name if it was shown. */
export async function workflowWasRenamed(from: string, to: string): Promise<void> {
  await heardOf()
  renameTab({ kind: "workflow", workflow: from }, { kind: "workflow", workflow: to })
}

/** Deletes the scripts too. */
export async function deleteWorkflow(workflow: string): Promise<void> {
  const file = fileOf(workflow)
  const { etag } = await call("files.read", { file })
  await call("files.remove", { file, etag })
  await heardOf()
  closeTab({ kind: "workflow", workflow })
}
