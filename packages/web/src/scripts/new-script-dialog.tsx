// Asks for the name, the function and the kind of block of a new script.

import { useId, useState } from "react"
import type { ScriptContextName } from "@callsheet/server/calls"
import { UserError } from "../connection/fault-of.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { TextField } from "../ui/form-fields.tsx"
import { useSubmit } from "../ui/use-submit.ts"
import { createScript, showScript } from "./script-files.ts"
import { checkScriptName } from "./script-names.ts"
import {
  functionNameFor,
  checkFunctionName,
  scriptKinds,
  scriptTemplate,
  type ScriptKind,
} from "./script-templates.ts"

interface Props {
  readonly workflow: string
  readonly taken: readonly string[]
  readonly context?: ScriptContextName
  /** Called after the script is created, instead of going to it. */
  readonly onCreated?: (script: string, exportName: string) => void
  readonly onClose: () => void
}

export function NewScriptDialog({ workflow, taken, context, onCreated, onClose }: Props) {
  const [script, setScript] = useState("")
  const [ownName, setOwnName] = useState<string>()
  const [kind, setKind] = useState(scriptKinds.find((known) => known.context === context) ?? scriptKinds[0])
  const exportName = ownName ?? functionNameFor(script)
  const submit = useSubmit()
  const create = async (chosen: ScriptKind): Promise<void> => {
    const finding = checkScriptName(script, taken) ?? checkFunctionName(exportName)
    if (finding !== undefined) throw new UserError(finding)
    const id = { workflow, script }
    await createScript(id, scriptTemplate(chosen, exportName))
    if (onCreated === undefined) showScript(id)
    else onCreated(script, exportName)
    onClose()
  }
  return (
    <FormDialog
      title="New script"
      submit={submit}
      does="Create"
      onSubmit={() => {
        if (kind !== undefined) submit.run(() => create(kind))
      }}
      onClose={onClose}
    >
      <TextField
        label="Name"
        note="Without .ts. Separate folders with /."
        isCode
        isFirst
        value={script}
        onChange={setScript}
      />
      <TextField label="Function" isCode value={exportName} onChange={setOwnName} />
      <Kinds chosen={kind} onChoose={setKind} />
    </FormDialog>
  )
}

interface KindsProps {
  readonly chosen: ScriptKind | undefined
  readonly onChoose: (kind: ScriptKind) => void
}

function Kinds({ chosen, onChoose }: KindsProps) {
  const name = useId()
  return (
    <fieldset className="script-kinds">
      <legend className="field-label">For</legend>
      {scriptKinds.map((kind) => (
        <label key={kind.context} className="script-kind">
          <input type="radio" name={name} checked={kind === chosen} onChange={() => onChoose(kind)} />
          <span className="script-kind-label">{kind.label}</span>
          <span className="faint">{kind.does}</span>
        </label>
      ))}
    </fieldset>
  )
}
