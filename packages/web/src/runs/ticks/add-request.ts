// Adds a request that was sent, and the assertions on its response, to a workflow.

import { create } from "zustand"
import { isJsonObject, type JsonObject } from "@callsheet/format"
import type { FileName } from "@callsheet/server/calls"
import { UserError } from "../../connection/fault-of.ts"
import { editFile, openFileNow, saveFile } from "../../files/open-files.ts"
import { openTab } from "../../routes/open-tabs.ts"
import { editorNow, say, selectBlocks } from "../../blocks/editor-state.ts"
import { showPart } from "../../routes/workflow-part.ts"
import { createWorkflow } from "../../kinds/new-workflow.ts"
import { addAfterSelection, newBlocks, workflowNameFor, type NewRequest } from "./new-blocks.ts"
import type { ValueAssertion } from "./value-assertion.ts"

export interface AddedRequest {
  /** The id of the block and the name of a new workflow are made from this. */
  readonly name: string
  /** The `request` of the block. Undefined if no block can express the body. */
  readonly request: JsonObject | undefined
  /** The saved request. The block sends what is in its file, so unsaved changes are saved first. */
  readonly file?: FileName | undefined
}

export const noBlockWords = "A block can't contain this body. Save it as a request and add that."

/** The workflow that a request was added to last. The next one is probably for it, too. */
export const useLastTarget = create<{ readonly workflow: string | undefined }>(() => ({
  workflow: undefined,
}))

export interface Addition {
  readonly added: AddedRequest
  readonly assertions: readonly ValueAssertion[]
}

/** Writes a new workflow and opens it. Rejects if it fails. */
export async function addToNewWorkflow(
  { added, assertions }: Addition,
  names: readonly string[],
): Promise<void> {
  const request = await readyRequest(added)
  const workflow = workflowNameFor(request, names)
  const blocks = newBlocks(request, assertions, new Set())
  await createWorkflow(workflow, blocks)
  show(workflow, () => selectBlocks(workflow, [["blocks", 0]], { blocks }))
}

/** Edits a workflow whose file is open, and shows it. Saves nothing. Rejects if the request can't be added. */
export async function addToWorkflow({ added, assertions }: Addition, workflow: string): Promise<void> {
  const request = await readyRequest(added)
  const file = { kind: "workflow", workflow } as const
  const { state, text, value } = openFileNow(file)
  if (state === "loading") throw new UserError("The workflow is still loading. Try again.")
  if (!isJsonObject(value)) throw new UserError("This workflow can't be read. Fix its text first.")
  const done = addAfterSelection({ text, value }, editorNow(workflow), (taken) =>
    newBlocks(request, assertions, taken),
  )
  editFile(file, () => done.text)
  show(workflow, () => selectBlocks(workflow, done.selected, openFileNow(file).value))
  say("Added the request. Press Ctrl Z to undo.")
}

async function readyRequest({ name, request, file }: AddedRequest): Promise<NewRequest> {
  if (request === undefined) throw new UserError(noBlockWords)
  if (file !== undefined && openFileNow(file).isDirty && !(await saveFile(file)))
    throw new UserError("The saved request could not be saved. See why above its form.")
  return { name, request }
}

function show(workflow: string, select: () => void): void {
  useLastTarget.setState({ workflow })
  openTab({ kind: "workflow", workflow })
  showPart(workflow, "editor")
  select()
}
