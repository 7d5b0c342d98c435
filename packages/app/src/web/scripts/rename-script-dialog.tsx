// Asks for another name of a script.

import { useState } from "react"
import type { ScriptCallView } from "../../api.ts"
import { Hindrance } from "../connection/fault-of.ts"
import { FormDialog } from "../parts/form-dialog.tsx"
import { TextField } from "../parts/form-fields.tsx"
import { useSubmit } from "../parts/use-submit.ts"
import { count } from "../text/count.ts"
import { renameScript, type ScriptId } from "./script-files.ts"
import { objectToScriptName } from "./script-names.ts"

interface Props {
  readonly id: ScriptId
  readonly taken: readonly string[]
  readonly calls: readonly ScriptCallView[]
  readonly onClose: () => void
}

export function RenameScriptDialog({ id, taken, calls, onClose }: Props) {
  const [script, setScript] = useState(id.script)
  const submit = useSubmit()
  const others = taken.filter((other) => other !== id.script)
  const rename = async (): Promise<void> => {
    const objection = script === id.script ? "That is its name." : objectToScriptName(script, others)
    if (objection !== undefined) throw new Hindrance(objection)
    await renameScript(id, script)
    onClose()
  }
  return (
    <FormDialog
      title="Rename the script"
      submit={submit}
      does="Rename"
      onSubmit={() => submit.run(rename)}
      onClose={onClose}
    >
      <TextField label="Name" isCode isFirst value={script} onChange={setScript} />
      {calls.length === 0 ? null : (
        <p className="field-note">
          {count(calls.length, "block calls", "blocks call")} it by its name, and other scripts may import it:
          they stay as they are, and the problems say where the old name stands.
        </p>
      )}
    </FormDialog>
  )
}
