// Making, copying, renaming and deleting of workflows, by calls of the server.

import type { FileName } from "../../api.ts"
import { call } from "../connection/call.ts"
import { queryClient } from "../data/query-client.ts"
import type { NewFrom } from "./workflow-dialog-state.ts"

const fileOf = (workflow: string): FileName => ({ kind: "workflow", workflow })

const heardOf = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ["project"] })

export async function createWorkflow(workflow: string, from: NewFrom | undefined): Promise<void> {
  const blocks = from === undefined ? [] : [{ id: idFrom(from), type: "request", request: from }]
  const text = `${JSON.stringify({ version: 1, blocks }, null, 2)}\n`
  await call("files.save", { file: fileOf(workflow), etag: null, text })
  await heardOf()
}

/** A word of the operation or saved request that can be an id. */
function idFrom(from: NewFrom): string {
  const name = "instance" in from ? from.instance : from.operation
  const word = name
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "")
    .toLowerCase()
  return /^\w+$/.test(name) ? name : word === "" ? "request" : word
}

/** With its scripts; what is not saved of them is not copied. */
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

export async function renameWorkflow(workflow: string, to: string): Promise<void> {
  const file = fileOf(workflow)
  const { etag } = await call("files.read", { file })
  await call("files.rename", { file, etag, to: fileOf(to) })
  await heardOf()
}

export async function deleteWorkflow(workflow: string): Promise<void> {
  const file = fileOf(workflow)
  const { etag } = await call("files.read", { file })
  const { scripts } = await call("files.list", { workflow })
  await call("files.remove", { file, etag })
  for (const { script } of scripts) {
    const own: FileName = { kind: "script", workflow, script }
    const read = await call("files.read", { file: own })
    await call("files.remove", { file: own, etag: read.etag })
  }
  await heardOf()
}
