// Dialogs that create, copy, rename and delete a workflow.

import { useState, type ReactNode } from "react"
import { hints, isWorkflowName } from "@callsheet/format"
import type { ProjectView } from "@callsheet/server/calls"
import { FormDialog } from "../parts/form-dialog.tsx"
import { TextField } from "../parts/form-fields.tsx"
import { needName } from "../parts/need-name.ts"
import { useSubmit } from "../parts/use-submit.ts"
import { useUnsavedFiles } from "../editing/use-unsaved-files.ts"
import { goTo } from "../routes/use-route.ts"
import { checkNewName } from "../text/check-new-name.ts"
import { visibleText } from "../text/visible-text.ts"
import { freeName } from "./block-ids.ts"
import { showWorkflowDialog, useWorkflowDialog } from "./workflow-dialog-state.ts"
import { createWorkflow, deleteWorkflow, duplicateWorkflow, renameWorkflow } from "./workflow-files.ts"

export function WorkflowDialogs({ project }: { readonly project: ProjectView }) {
  const shown = useWorkflowDialog((state) => state.shown)
  if (shown === undefined) return null
  const names = project.workflows.map(({ name }) => name)
  const close = (): void => showWorkflowDialog(undefined)
  if (shown.kind === "new") return <NewDialog names={names} from={shown.from} onClose={close} />
  const { kind, workflow } = shown
  if (kind === "delete") return <DeleteDialog workflow={workflow} onClose={close} />
  return kind === "rename" ? (
    <RenameDialog names={names} workflow={workflow} onClose={close} />
  ) : (
    <DuplicateDialog names={names} workflow={workflow} onClose={close} />
  )
}

interface NameDialogProps {
  readonly title: string
  readonly does: string
  readonly names: readonly string[]
  readonly suggested: string
  /** The current name. Only its case may change. */
  readonly own?: string
  readonly action: (name: string) => Promise<void>
  readonly onClose: () => void
  readonly children?: ReactNode
}

/** Asks for a name, performs the action, and goes to the workflow with this name. */
function NameDialog({ title, does, names, suggested, own, action, onClose, children }: NameDialogProps) {
  const submit = useSubmit()
  const [name, setName] = useState(suggested)
  const fault = checkNewName(name, {
    what: "a workflow",
    isName: isWorkflowName,
    hint: hints.name,
    taken: names,
    own,
  })
  return (
    <FormDialog
      title={title}
      submit={submit}
      does={does}
      onSubmit={() => {
        if (fault !== undefined) return
        submit.run(async () => {
          needName(name, own)
          await action(name)
          onClose()
          goTo({ kind: "workflow", workflow: name })
        })
      }}
      onClose={onClose}
    >
      <TextField
        label="Name"
        isCode
        isFirst
        value={name}
        onChange={setName}
        fault={fault}
        note={`Saved as apis/workflow/${visibleText(name.slice(0, 80)) || "<name>"}.json`}
      />
      {children}
    </FormDialog>
  )
}

interface NewProps {
  readonly names: readonly string[]
  readonly from: string | undefined
  readonly onClose: () => void
}

function NewDialog({ names, from, onClose }: NewProps) {
  return (
    <NameDialog
      title="New workflow"
      does="Create"
      names={names}
      suggested={names.length === 0 ? "first" : ""}
      action={(name) => createWorkflow(name, from)}
      onClose={onClose}
    >
      <p className="field-note">
        {from === undefined ? "It starts empty." : "It starts with the block shown."}
      </p>
    </NameDialog>
  )
}

interface OfWorkflow {
  readonly workflow: string
  readonly onClose: () => void
}

function RenameDialog({ workflow, names, onClose }: OfWorkflow & { readonly names: readonly string[] }) {
  const title = `Rename ${visibleText(workflow)}`
  const submit = useSubmit()
  if (useIsUnsaved(workflow))
    return (
      <FormDialog title={title} submit={submit} onSubmit={onClose} onClose={onClose}>
        <p>It has unsaved changes. Save or discard them first.</p>
      </FormDialog>
    )
  return (
    <NameDialog
      title={title}
      does="Rename"
      names={names}
      suggested={workflow}
      own={workflow}
      action={(name) => renameWorkflow(workflow, name)}
      onClose={onClose}
    >
      <p className="field-note">Its scripts move with it. Past runs keep the old name.</p>
    </NameDialog>
  )
}

function DuplicateDialog({ workflow, names, onClose }: OfWorkflow & { readonly names: readonly string[] }) {
  return (
    <NameDialog
      title={`Duplicate ${visibleText(workflow)}`}
      does="Duplicate"
      names={names}
      suggested={freeName(workflow, new Set(names))}
      action={(name) => duplicateWorkflow(workflow, name)}
      onClose={onClose}
    >
      <p className="field-note">
        Its scripts are copied too{useIsUnsaved(workflow) ? "; unsaved changes are not" : ""}.
      </p>
    </NameDialog>
  )
}

function DeleteDialog({ workflow, onClose }: OfWorkflow) {
  const submit = useSubmit()
  const name = visibleText(workflow)
  return (
    <FormDialog
      title={`Delete ${name}?`}
      submit={submit}
      does="Delete"
      isDanger
      onSubmit={() =>
        submit.run(async () => {
          await deleteWorkflow(workflow)
          onClose()
          goTo({ kind: "overview" })
        })
      }
      onClose={onClose}
    >
      <p>
        This deletes apis/workflow/{name}.json and the workflow's scripts. You can restore only what is
        committed.
      </p>
    </FormDialog>
  )
}

function useIsUnsaved(workflow: string): boolean {
  return useUnsavedFiles().some(
    (file) => (file.kind === "workflow" || file.kind === "script") && file.workflow === workflow,
  )
}
