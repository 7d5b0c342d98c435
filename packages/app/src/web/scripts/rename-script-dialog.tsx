// Asks for another name of a script.

import { useState } from "react"
import type { ScriptCallView } from "../../api.ts"
import { Dialog } from "../parts/dialog.tsx"
import { count } from "../text/count.ts"
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
    <Dialog label="Rename the script" className="dialog-confirm dialog-name" isForm onClose={onClose}>
      <form
        className="confirm"
        onSubmit={(event) => {
          event.preventDefault()
          submit(objection, () => renameScript(id, script))
        }}
      >
        <h2>Rename the script</h2>
        <ScriptNameField label="Name" value={script} fault={fault} onChange={setScript} isFirst />
        {calls.length === 0 ? null : (
          <p className="form-note">
            {count(calls.length, "block calls", "blocks call")} it by its name, and other scripts may import
            it: they stay as they are, and the problems say where the old name stands.
          </p>
        )}
        <p role="alert" className="form-fault dialog-fault">
          {fault}
        </p>
        <div className="confirm-actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button button-main">
            Rename
          </button>
        </div>
      </form>
    </Dialog>
  )
}
