// The places that read a variable.

import type { EnvironmentsView, VariableView } from "@callsheet/server/calls"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useSubmit } from "../ui/use-submit.ts"
import { visibleText } from "../ui/visible-text.ts"
import { UsedBy } from "../shell/search/used-by.tsx"

interface Props {
  readonly view: EnvironmentsView
  readonly variable: VariableView
  readonly onClose: () => void
}

export function UsesDialog({ view: { api }, variable: { name }, onClose }: Props) {
  const submit = useSubmit()
  return (
    <FormDialog title={`Used by: ${visibleText(name)}`} submit={submit} onSubmit={onClose} onClose={onClose}>
      <UsedBy of={{ kind: "variable", api, name }} />
    </FormDialog>
  )
}
