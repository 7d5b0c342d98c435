// Puts a block that sends a request at the end of a workflow, where it can be undone, changed and saved.

import { useId, useMemo, useState, type FormEvent } from "react"
import { insertJsonItem, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@callsheet/format"
import { useProject } from "../data/use-project.ts"
import { editFile, useOpenFile } from "../editing/open-files.ts"
import { Dialog } from "../parts/dialog.tsx"
import { goTo } from "../places/use-place.ts"
import { visibleText } from "../text/visible-text.ts"
import { freeName, takenNames } from "../workflow/block-ids.ts"
import { idOf } from "./id-of.ts"

interface Props {
  /** After which the block is called. */
  readonly name: string
  /** Of the block; undefined where no block can hold the body. */
  readonly request: JsonObject | undefined
}

export function AddToWorkflow(sent: Props) {
  const [isOpen, setOpen] = useState(false)
  const { data: project } = useProject()
  const workflows = project?.workflows.map(({ name }) => name) ?? []
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
  readonly workflows: readonly string[]
  readonly onClose: () => void
}

function ChooseWorkflow({ sent, workflows, onClose }: ChooseProps) {
  const id = useId()
  const [workflow, setWorkflow] = useState(workflows[0] ?? "")
  const name = useMemo(() => ({ kind: "workflow", workflow }) as const, [workflow])
  const { state, value } = useOpenFile(name)
  const blocks = isJsonObject(value) ? value["blocks"] : undefined
  const isReadable = state === "ready" && blocks !== undefined && isJsonArray(blocks)
  const isUsable = isReadable && sent.request !== undefined
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isUsable || value === undefined) return
    editFile(name, (text) => withBlock(text, value, sent))
    onClose()
    goTo(name)
  }
  return (
    <Dialog label="Add to a workflow" className="dialog-confirm" onClose={onClose}>
      <form className="confirm" onSubmit={submit}>
        <h2>Add to a workflow</h2>
        <div className="field">
          <label className="field-label" htmlFor={id}>
            Workflow
          </label>
          <select id={id} autoFocus value={workflow} onChange={(event) => setWorkflow(event.target.value)}>
            {workflows.map((each) => (
              <option key={each} value={each}>
                {visibleText(each)}
              </option>
            ))}
          </select>
        </div>
        <p className="field-note" role="status">
          {sent.request === undefined
            ? "A block cannot hold this body: save it as a request, and add that."
            : state === "loading" || isReadable
              ? "A block that sends it comes at the end. Nothing is saved yet."
              : "This workflow cannot be read: mend its text first."}
        </p>
        <div className="confirm-actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button button-main" aria-disabled={!isUsable}>
            Add
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** The text as it is where no block can be put into it. */
function withBlock(text: string, workflow: JsonValue, { name, request }: Props): string {
  const blocks = isJsonObject(workflow) ? workflow["blocks"] : undefined
  if (blocks === undefined || !isJsonArray(blocks) || request === undefined) return text
  const id = freeName(idOf(name), takenNames(workflow))
  const block = { id, type: "request", request }
  const edited = insertJsonItem(text, ["blocks"], blocks.length, block)
  return edited.ok ? edited.text : text
}
