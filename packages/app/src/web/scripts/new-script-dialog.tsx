// Asks for what a new script is to be: its name, its function, and for which blocks it is.

import { useId, useState } from "react"
import type { ScriptContextName } from "../../api.ts"
import { createScript, showScript } from "./script-files.ts"
import { objectToScriptName } from "./script-names.ts"
import {
  functionNameFor,
  objectToFunctionName,
  scriptKinds,
  scriptTemplate,
  type ScriptKind,
} from "./script-templates.ts"
import { ScriptNameField } from "./script-name-field.tsx"
import { ScriptDialog } from "./script-dialog.tsx"
import { useDialogAct } from "./use-dialog-act.ts"

interface Props {
  readonly workflow: string
  readonly taken: readonly string[]
  /** For which blocks it is at first. */
  readonly context?: ScriptContextName
  /** In place of showing it. */
  readonly onCreated?: (script: string, exportName: string) => void
  readonly onClose: () => void
}

export function NewScriptDialog({ workflow, taken, context, onCreated, onClose }: Props) {
  const [script, setScript] = useState("")
  const [ownName, setOwnName] = useState<string>()
  const [kind, setKind] = useState(scriptKinds.find((known) => known.context === context) ?? scriptKinds[0])
  const exportName = ownName ?? functionNameFor(script)
  const { fault, submit } = useDialogAct(onClose)
  const create = (chosen: ScriptKind): void =>
    submit(objectToScriptName(script, taken) ?? objectToFunctionName(exportName), () =>
      createScript({ workflow, script }, scriptTemplate(chosen, exportName), (id) => {
        if (onCreated === undefined) showScript(id)
        else onCreated(script, exportName)
      }),
    )
  return (
    <ScriptDialog
      title="New script"
      does="Create"
      fault={fault}
      onSubmit={() => {
        if (kind !== undefined) create(kind)
      }}
      onClose={onClose}
    >
      <ScriptNameField
        label="Name"
        hint="Without .ts; folders are parted by /."
        value={script}
        fault={fault}
        onChange={setScript}
        isFirst
      />
      <ScriptNameField label="Function" value={exportName} fault={fault} onChange={setOwnName} />
      <Kinds chosen={kind} onChoose={setKind} />
    </ScriptDialog>
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
      <legend className="form-label">For</legend>
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
