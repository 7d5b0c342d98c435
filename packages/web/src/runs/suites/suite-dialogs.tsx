// Dialogs that create, edit, rename, copy and delete a suite.

import { useState } from "react"
import {
  deleteJsonAt,
  hints,
  isJsonObject,
  isSuiteName,
  ownOf,
  parseJson,
  PROJECT_FILE,
  renameJsonKey,
  setJsonAt,
  valueAt,
} from "@callsheet/format"
import { suiteSubject, type ProjectView } from "@callsheet/server/calls"
import { call } from "../../connection/call.ts"
import { queryClient } from "../../connection/query-client.ts"
import { useOpenFile } from "../../files/open-files.ts"
import { useUnsavedFiles } from "../../files/use-unsaved-files.ts"
import { announce } from "../../ui/announcement.tsx"
import { FormDialog } from "../../files/form-dialog.tsx"
import { TextField } from "../../ui/form-fields.tsx"
import { useSubmit } from "../../ui/use-submit.ts"
import { closeTab, openTab, renameTab } from "../../routes/open-tabs.ts"
import { visibleText } from "../../ui/visible-text.ts"
import { freeName } from "@callsheet/language"
import { newSuite, suiteDraft } from "./suite-draft.ts"
import { SuiteForm } from "./suite-form.tsx"
import { useSuiteDialog } from "./suite-items.ts"
import { editSettings } from "./write-suite.ts"
import { checkNewName, needName } from "../../ui/new-name.ts"

const file = { kind: "project" } as const

export function SuiteDialogs({ project }: { readonly project: ProjectView }) {
  const shown = useSuiteDialog((state) => state.shown)
  const isUnsaved = useUnsavedFiles().some(({ kind }) => kind === "project")
  const submit = useSubmit()
  if (shown === undefined) return null
  const onClose = (): void => useSuiteDialog.setState({ shown: undefined })
  const title = shown.kind === "new" ? "New suite" : `${titles[shown.kind]} ${visibleText(shown.suite)}`
  if (isUnsaved)
    return (
      <FormDialog title={title} submit={submit} onSubmit={onClose} onClose={onClose}>
        <p>{PROJECT_FILE} has unsaved changes. Save or discard them first.</p>
      </FormDialog>
    )
  if (shown.kind === "new")
    return (
      <SuiteForm project={project} suite={undefined} first={newSuite(shown.workflows)} onClose={onClose} />
    )
  const { kind, suite } = shown
  if (kind === "edit") return <EditSuite project={project} suite={suite} onClose={onClose} />
  const props = { suite, taken: project.suites ?? [], onClose }
  return kind === "delete" ? <DeleteDialog {...props} /> : <NameDialog {...props} kind={kind} />
}

const titles = { edit: "Edit", rename: "Rename", duplicate: "Duplicate", delete: "Delete" } as const

interface Props {
  readonly suite: string
  readonly taken: readonly string[]
  readonly onClose: () => void
}

interface EditProps {
  readonly project: ProjectView
  readonly suite: string
  readonly onClose: () => void
}

function EditSuite({ project, suite, onClose }: EditProps) {
  const { state, value } = useOpenFile(file)
  if (state === "loading") return null
  const first = suiteDraft(valueAt(value ?? null, ["suites", suite]))
  return <SuiteForm project={project} suite={suite} first={first} onClose={onClose} />
}

function NameDialog({ kind, suite, taken, onClose }: Props & { readonly kind: "rename" | "duplicate" }) {
  const submit = useSubmit()
  const own = kind === "rename" ? suite : undefined
  const [name, setName] = useState(own ?? freeName(suite, new Set(taken)))
  const fault = checkNewName(name, { what: "a suite", isName: isSuiteName, hint: hints.name, taken, own })
  const carryOut = async (): Promise<void> => {
    needName(name, own)
    await (kind === "rename" ? rename : duplicate)(suite, name)
    announce(`${titles[kind]}d ${visibleText(suite)} to ${visibleText(name)}`)
    onClose()
  }
  return (
    <FormDialog
      title={`${titles[kind]} ${visibleText(suite)}`}
      submit={submit}
      does={titles[kind]}
      onSubmit={() => {
        if (fault === undefined) submit.run(carryOut)
      }}
      onClose={onClose}
    >
      <TextField label="Name" isCode isFirst value={name} onChange={setName} fault={fault} />
    </FormDialog>
  )
}

function DeleteDialog({ suite, onClose }: Props) {
  const submit = useSubmit()
  const carryOut = async (): Promise<void> => {
    await editSettings((text) => deleteJsonAt(text, ["suites", suite]))
    closeTab({ kind: "suite", suite })
    onClose()
  }
  return (
    <FormDialog
      title={`Delete ${visibleText(suite)}?`}
      submit={submit}
      does="Delete"
      isDanger
      onSubmit={() => submit.run(carryOut)}
      onClose={onClose}
    >
      <p>
        This removes the suite from {PROJECT_FILE}. Its workflows stay. You can restore only what is
        committed.
      </p>
    </FormDialog>
  )
}

async function rename(suite: string, to: string): Promise<void> {
  await editSettings((text) => renameJsonKey(text, ["suites", suite], to))
  await call("runs.rename", { from: suiteSubject(suite), to: suiteSubject(to) })
  await queryClient.invalidateQueries({ queryKey: ["runs"] })
  renameTab({ kind: "suite", suite }, { kind: "suite", suite: to })
}

async function duplicate(suite: string, to: string): Promise<void> {
  await editSettings((text) => {
    const parsed = parseJson(text.replace(/^\ufeff/, ""))
    const suites = parsed.ok && isJsonObject(parsed.value) ? parsed.value["suites"] : undefined
    const copied = isJsonObject(suites) ? ownOf(suites, suite) : undefined
    return setJsonAt(text, ["suites", to], copied ?? {})
  })
  openTab({ kind: "suite", suite: to })
}
