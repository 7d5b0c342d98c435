// Dialogs that create, copy, rename and delete a workflow.

import { useQuery } from "@tanstack/react-query"
import { useState, type ReactNode } from "react"
import { hints, isWorkflowName } from "@callsheet/format"
import type { ProjectView, ChangePreview, FileName } from "@callsheet/server/calls"
import { call } from "../connection/call.ts"
import { FormDialog } from "../files/form-dialog.tsx"
import { TextField } from "../ui/form-fields.tsx"
import { needName, checkNewName } from "../ui/new-name.ts"
import { useSubmit } from "../ui/use-submit.ts"
import { useUnsavedFiles } from "../files/use-unsaved-files.ts"
import { PlanDialog } from "../files/plan-dialog.tsx"
import { goTo } from "../routes/use-route.ts"
import { count } from "../ui/formats.ts"
import { ShownText } from "../ui/shown-text.tsx"
import { visibleText } from "../ui/visible-text.ts"
import { queryClient } from "../connection/query-client.ts"
import { closeTab, renameTab } from "../routes/open-tabs.ts"
import { valueOf } from "../kinds/block-edits.ts"
import { freeName } from "@callsheet/language"
import { createWorkflow } from "../kinds/new-workflow.ts"
import { showWorkflowDialog, useWorkflowDialog } from "../blocks/workflow-dialog.ts"

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
  readonly action: (name: string) => Promise<void>
  readonly onClose: () => void
  readonly children?: ReactNode
}

/** Asks for a name, performs the action, and goes to the workflow with this name. */
function NameDialog({ title, does, names, suggested, action, onClose, children }: NameDialogProps) {
  const submit = useSubmit()
  const [name, setName] = useState(suggested)
  const fault = checkWorkflowName(name, { taken: names })
  return (
    <FormDialog
      title={title}
      submit={submit}
      does={does}
      onSubmit={() => {
        if (fault !== undefined) return
        submit.run(async () => {
          needName(name)
          await action(name)
          onClose()
          goTo({ kind: "workflow", workflow: name })
        })
      }}
      onClose={onClose}
    >
      <WorkflowNameField name={name} onChange={setName} fault={fault} />
      {children}
    </FormDialog>
  )
}

interface NameFieldProps {
  readonly name: string
  readonly onChange: (name: string) => void
  readonly fault: string | undefined
}

function WorkflowNameField({ name, onChange, fault }: NameFieldProps) {
  return (
    <TextField
      label="Name"
      isCode
      isFirst
      value={name}
      onChange={onChange}
      fault={fault}
      note={`Saved as apis/workflow/${visibleText(name.slice(0, 80)) || "<name>"}.json`}
    />
  )
}

/** `own` is the current name. Only its case may change. */
const checkWorkflowName = (
  name: string,
  { taken, own }: { readonly taken: readonly string[]; readonly own?: string },
) => checkNewName(name, { what: "a workflow", isName: isWorkflowName, hint: hints.name, taken, own })

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
      action={(name) => createWorkflow(name, from === undefined ? [] : [valueOf(from)])}
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
  const [name, setName] = useState(workflow)
  const fault = checkWorkflowName(name, { taken: names, own: workflow })
  if (useIsUnsaved(workflow))
    return (
      <FormDialog title={title} submit={submit} onSubmit={onClose} onClose={onClose}>
        <p>It has unsaved changes. Save or discard them first.</p>
      </FormDialog>
    )
  return (
    <PlanDialog
      title={title}
      verb="Rename"
      plan={fault === undefined ? () => planWorkflowName(workflow, name) : undefined}
      isHarmless
      done={`Renamed ${visibleText(workflow)} to ${visibleText(name)}`}
      onDone={() => workflowWasRenamed(workflow, name)}
      onClose={onClose}
    >
      <WorkflowNameField name={name} onChange={setName} fault={fault} />
      <p className="field-note">
        This also moves its scripts and updates suites. You review each change first. Past runs keep the old
        name.
      </p>
    </PlanDialog>
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
        })
      }
      onClose={onClose}
    >
      <p>
        This deletes apis/workflow/{name}.json and the workflow's scripts. You can restore only what is
        committed.
      </p>
      <SuiteUses workflow={workflow} />
    </FormDialog>
  )
}

function SuiteUses({ workflow }: { readonly workflow: string }) {
  const { data } = useQuery({
    queryKey: ["uses", workflow],
    queryFn: () => call("files.uses", { file: { kind: "workflow", workflow } }),
    gcTime: 0,
  })
  const suites = data?.suites ?? []
  if (suites.length === 0) return null
  return (
    <p className="field-error">
      {count(suites.length, "suite")} of callsheet.json can't run without it:{" "}
      <ShownText text={suites.join(", ")} />
    </p>
  )
}

function useIsUnsaved(workflow: string): boolean {
  return useUnsavedFiles().some(
    (file) => (file.kind === "workflow" || file.kind === "script") && file.workflow === workflow,
  )
}

const fileOf = (workflow: string): FileName => ({ kind: "workflow", workflow })

const heardOf = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ["project"] })

/** Copies the scripts too, without unsaved changes. */
async function duplicateWorkflow(workflow: string, to: string): Promise<void> {
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

async function planWorkflowName(workflow: string, to: string): Promise<ChangePreview> {
  needName(to, workflow)
  const file = fileOf(workflow)
  const { etag } = await call("files.read", { file })
  return call("files.planRename", { file, etag, to: fileOf(to) })
}

/** Shows the workflow under its new name if it was shown. */
async function workflowWasRenamed(from: string, to: string): Promise<void> {
  await heardOf()
  renameTab({ kind: "workflow", workflow: from }, { kind: "workflow", workflow: to })
}

/** Deletes the scripts too. */
async function deleteWorkflow(workflow: string): Promise<void> {
  const file = fileOf(workflow)
  const { etag } = await call("files.read", { file })
  await call("files.remove", { file, etag })
  await heardOf()
  closeTab({ kind: "workflow", workflow })
}
