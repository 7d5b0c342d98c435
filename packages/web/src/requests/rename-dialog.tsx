// Renames a saved request. Previews the blocks that use it.

import { useState } from "react"
import type { ApiView } from "@callsheet/server/calls"
import { TextField } from "../ui/form-fields.tsx"
import { PlanDialog } from "../files/plan-dialog.tsx"
import { visibleText } from "../ui/visible-text.ts"
import { planRequestName, requestWasRenamed } from "./request-files.ts"
import { checkRequestName, type RequestName } from "./request-names.ts"

interface Props {
  readonly api: ApiView
  readonly name: RequestName
  readonly onClose: () => void
}

export function RenameDialog({ api, name, onClose }: Props) {
  const [to, setTo] = useState(name)
  const isSame = to.resource === name.resource && to.request === name.request
  const fault = isSame ? undefined : checkRequestName(to, api.requests)
  return (
    <PlanDialog
      title="Rename the saved request"
      verb="Rename"
      plan={fault === undefined ? () => planRequestName(api.name, name, to) : undefined}
      isHarmless
      done={`Renamed ${visibleText(name.request)} to ${visibleText(to.request)}`}
      onDone={() => requestWasRenamed(api.name, name, to)}
      onClose={onClose}
    >
      <TextField label="Resource" value={to.resource} onChange={(resource) => setTo({ ...to, resource })} />
      <TextField
        label="Name"
        isFirst
        value={to.request}
        onChange={(request) => setTo({ ...to, request })}
        fault={fault}
        note="This also updates the blocks that use it, in all workflows. You review each change first."
      />
    </PlanDialog>
  )
}
