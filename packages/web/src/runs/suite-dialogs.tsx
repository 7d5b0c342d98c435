// Dialogs that rename, copy and delete a suite. Each changes only the lines of the suite in `callsheet.json`.

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
  type EditedJson,
} from "@callsheet/format"
import { suiteSubject, type ProjectView } from "@callsheet/server/calls"
import { call } from "../connection/call.ts"
import { UserError } from "../connection/fault-of.ts"
import { queryClient } from "../connection/query-client.ts"
import { useUnsavedFiles } from "../files/use-unsaved-files.ts"
import { announce } from "../ui/announcement.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { TextField } from "../ui/form-fields.tsx"
import { useSubmit } from "../ui/use-submit.ts"
import { closeTab, openTab, renameTab } from "../shell/explorer/open-tabs.ts"
import { visibleText } from "../ui/visible-text.ts"
import { freeName } from "../workflow/block-ids.ts"
import { useSuiteDialog } from "./suite-items.ts"
import { checkNewName, needName } from "../ui/new-name.ts"

const file = { kind: "project" } as const

export function SuiteDialogs({ project }: { readonly project: ProjectView }) {
  const shown = useSuiteDialog((state) => state.shown)
  const isUnsaved = useUnsavedFiles().some(({ kind }) => kind === "project")
  const submit = useSubmit()
  if (shown === undefined) return null
  const { kind, suite } = shown
  const onClose = (): void => useSuiteDialog.setState({ shown: undefined })
  if (isUnsaved)
    return (
      <FormDialog
        title={`${titles[kind]} ${visibleText(suite)}`}
        submit={submit}
        onSubmit={onClose}
        onClose={onClose}
      >
        <p>{PROJECT_FILE} has unsaved changes. Save or discard them first.</p>
      </FormDialog>
    )
  const props = { suite, taken: project.suites ?? [], onClose }
  return kind === "delete" ? <DeleteDialog {...props} /> : <NameDialog {...props} kind={kind} />
}

const titles = { rename: "Rename", duplicate: "Duplicate", delete: "Delete" } as const

interface Props {
  readonly suite: string
  readonly taken: readonly string[]
  readonly onClose: () => void
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

/** Edits the text of `callsheet.json` on disk. */
async function editSettings(edit: (text: string) => EditedJson): Promise<void> {
  const { text, etag } = await call("files.read", { file })
  const edited = edit(text)
  if (!edited.ok) throw new UserError(`${PROJECT_FILE} isn't valid JSON. Fix its text first.`)
  await call("files.save", { file, etag, text: edited.text })
  await queryClient.invalidateQueries({ queryKey: ["project"] })
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
