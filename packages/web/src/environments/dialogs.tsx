// Shows the open dialog about environments.

import type { EnvironmentsView, VariableView } from "@callsheet/server/calls"
import { FormDialog } from "../files/form-dialog.tsx"
import { useSubmit } from "../ui/use-submit.ts"
import { visibleText } from "../ui/visible-text.ts"
import { UsedBy } from "../search/used-by.tsx"
import { showEnvironmentDialog, useEnvironmentDialog } from "./environment-commands.ts"
import {
  DeleteEnvironmentDialog,
  NewEnvironmentDialog,
  RenameEnvironmentDialog,
} from "./environment-dialogs.tsx"
import { ReplaceDialog } from "./replace-dialog.tsx"
import { SettingsDialog } from "./settings-dialog.tsx"
import {
  DeleteVariableDialog,
  EditVariableDialog,
  NewVariableDialog,
  RenameVariableDialog,
} from "./variable-dialogs.tsx"

export function Dialogs({ view }: { readonly view: EnvironmentsView }) {
  const shown = useEnvironmentDialog((state) => state.shown)
  const onClose = (): void => showEnvironmentDialog(undefined)
  if (shown === undefined || shown.api !== view.api) return null
  if (shown.kind === "new-variable") return <NewVariableDialog view={view} onClose={onClose} />
  if (shown.kind === "new-environment") return <NewEnvironmentDialog view={view} onClose={onClose} />
  const variable =
    "variable" in shown ? view.variables.find(({ name }) => name === shown.variable) : undefined
  const environment =
    "environment" in shown ? view.environments.find(({ name }) => name === shown.environment) : undefined
  if (shown.kind === "replace-secret")
    return variable === undefined || environment === undefined ? null : (
      <ReplaceDialog view={view} variable={variable} environment={environment.name} onClose={onClose} />
    )
  if (variable !== undefined) {
    const props = { view, variable, onClose }
    if (shown.kind === "uses-of-variable") return <UsesDialog {...props} />
    if (shown.kind === "edit-variable") return <EditVariableDialog {...props} />
    return shown.kind === "rename-variable" ? (
      <RenameVariableDialog {...props} />
    ) : (
      <DeleteVariableDialog {...props} />
    )
  }
  if (environment === undefined) return null
  const props = { view, environment, onClose }
  if (shown.kind === "settings") return <SettingsDialog {...props} />
  return shown.kind === "rename-environment" ? (
    <RenameEnvironmentDialog {...props} />
  ) : (
    <DeleteEnvironmentDialog {...props} />
  )
}

interface Props {
  readonly view: EnvironmentsView
  readonly variable: VariableView
  readonly onClose: () => void
}

function UsesDialog({ view: { api }, variable: { name }, onClose }: Props) {
  const submit = useSubmit()
  return (
    <FormDialog title={`Used by: ${visibleText(name)}`} submit={submit} onSubmit={onClose} onClose={onClose}>
      <UsedBy of={{ kind: "variable", api, name }} />
    </FormDialog>
  )
}
