// Renames a script. Previews the blocks that call it and the scripts that import it.

import { useState } from "react"
import type { ScriptId } from "@callsheet/server/calls"
import { TextField } from "../ui/form-fields.tsx"
import { PlanDialog } from "../files/plan-dialog.tsx"
import { visibleText } from "../ui/visible-text.ts"
import { planScriptName, scriptWasRenamed } from "./script-files.ts"
import { checkScriptName } from "./script-names.ts"

interface Props {
  readonly id: ScriptId
  readonly taken: readonly string[]
  readonly onClose: () => void
}

export function RenameScriptDialog({ id, taken, onClose }: Props) {
  const [script, setScript] = useState(id.script)
  const others = taken.filter((other) => other !== id.script)
  const fault = checkScriptName(script, others)
  return (
    <PlanDialog
      title="Rename the script"
      verb="Rename"
      plan={fault === undefined ? () => planScriptName(id, script) : undefined}
      isHarmless
      done={`Renamed ${visibleText(id.script)} to ${visibleText(script)}`}
      onDone={() => scriptWasRenamed(id, script)}
      onClose={onClose}
    >
      <TextField
        label="Name"
        isCode
        isFirst
        value={script}
        onChange={setScript}
        fault={fault}
        note="This also updates the blocks that call it and the scripts that import it. You review each change first."
      />
    </PlanDialog>
  )
}
