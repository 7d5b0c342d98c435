// Asks for another name of a script.

import { useState } from "react"
import type { ScriptCallView } from "../../api.ts"
import { count } from "../text/count.ts"
import { ScriptDialog } from "./script-dialog.tsx"
import { renameScript, type ScriptId } from "./script-files.ts"
import { ScriptNameField } from "./script-name-field.tsx"
import { objectToScriptName } from "./script-names.ts"
import { useDialogAct } from "./use-dialog-act.ts"

interface Props {
  readonly id: ScriptId
  readonly taken: readonly string[]
  readonly calls: readonly ScriptCallView[]
  readonly onClose: () => void
}

export function RenameScriptDialog({ id, taken, calls, onClose }: Props) {
  const [script, setScript] = useState(id.script)
  const { fault, submit } = useDialogAct(onClose)
  const others = taken.filter((other) => other !== id.script)
  const objection = script === id.script ? "That is its name." : objectToScriptName(script, others)
  return (
    <ScriptDialog
      title="Rename the script"
      does="Rename"
      fault={fault}
      onSubmit={() => submit(objection, () => renameScript(id, script))}
      onClose={onClose}
    >
      <ScriptNameField label="Name" value={script} fault={fault} onChange={setScript} isFirst />
      {calls.length === 0 ? null : (
        <p className="form-note">
          {count(calls.length, "block calls", "blocks call")} it by its name, and other scripts may import it:
          they stay as they are, and the problems say where the old name stands.
        </p>
      )}
    </ScriptDialog>
  )
}
