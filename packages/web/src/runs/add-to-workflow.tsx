// Appends a block with a request to a workflow, as an unsaved edit that can be undone.

import { useMemo, useState } from "react"
import {
  insertJsonItem,
  isJsonArray,
  isJsonObject,
  checkId,
  type JsonObject,
  type JsonValue,
} from "@callsheet/format"
import type { WorkflowView } from "@callsheet/server/calls"
import { editFile, openFileNow, useOpenFile } from "../files/open-files.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { ChoiceField } from "../ui/form-fields.tsx"
import { useSubmit } from "../ui/use-submit.ts"
import { goTo } from "../routes/use-route.ts"
import { visibleText } from "../ui/visible-text.ts"
import { freeName, takenNames } from "../workflow/block-ids.ts"
import { selectBlocks, showPart } from "../workflow/editor-state.ts"
import { useProject } from "../connection/queries.ts"

interface Props {
  /** The block's id is made from this. */
  readonly name: string
  /** Undefined if no block can express the body. */
  readonly request: JsonObject | undefined
}

export function AddToWorkflow(sent: Props) {
  const [isOpen, setOpen] = useState(false)
  const { data: project } = useProject()
  const workflows = project?.workflows ?? []
  if (workflows.length === 0) return null
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        Add to a workflow…
      </button>
      {isOpen ? <ChooseWorkflow sent={sent} workflows={workflows} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

interface ChooseProps {
  readonly sent: Props
  readonly workflows: readonly WorkflowView[]
  readonly onClose: () => void
}

function ChooseWorkflow({ sent, workflows, onClose }: ChooseProps) {
  const submit = useSubmit()
  const first = workflows.find(({ blocks }) => blocks !== undefined) ?? workflows[0]
  const [workflow, setWorkflow] = useState(first?.name ?? "")
  const name = useMemo(() => ({ kind: "workflow", workflow }) as const, [workflow])
  const { state, value } = useOpenFile(name)
  const blocks = isJsonObject(value) ? value["blocks"] : undefined
  const isReadable = state === "ready" && blocks !== undefined && isJsonArray(blocks)
  const refusal =
    sent.request === undefined
      ? "A block can't contain this body. Save it as a request and add that."
      : state === "loading" || isReadable
        ? undefined
        : "This workflow can't be read. Fix its text first."
  const add = (): void => {
    if (!isReadable || refusal !== undefined || value === undefined) return
    editFile(name, (text) => withBlock(text, value, sent))
    onClose()
    goTo(name)
    showPart(workflow, "editor")
    selectBlocks(workflow, [["blocks", blocks.length]], openFileNow(name).value)
  }
  return (
    <FormDialog
      title="Add to a workflow"
      submit={{ ...submit, isBusy: state === "loading" }}
      does="Add"
      onSubmit={add}
      onClose={onClose}
    >
      <ChoiceField
        label="Workflow"
        isFirst
        options={workflows.map((each) => ({ value: each.name, label: visibleText(each.name) }))}
        value={workflow}
        note="Adds a block that sends it at the end. Nothing is saved yet."
        fault={refusal}
        onChange={setWorkflow}
      />
    </FormDialog>
  )
}

/** Returns the same text if no block can be inserted. */
function withBlock(text: string, workflow: JsonValue, { name, request }: Props): string {
  const blocks = isJsonObject(workflow) ? workflow["blocks"] : undefined
  if (blocks === undefined || !isJsonArray(blocks) || request === undefined) return text
  const id = freeName(idOf(name), takenNames(workflow))
  const block = { id, type: "request", request }
  const edited = insertJsonItem(text, ["blocks"], blocks.length, block)
  return edited.ok ? edited.text : text
}

/** Converts the name of a saved request to an id: `new order` becomes `new-order`. Otherwise, returns `request`. */
function idOf(name: string): string {
  const id = name.replace(/[^\p{L}\p{N}_-]+/gu, "-").replace(/^-+|-+$/g, "")
  return id === "" || checkId(id) !== undefined ? "request" : id
}
