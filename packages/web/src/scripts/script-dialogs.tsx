// Dialogs that create, rename and delete a script.

import { useId, useState } from "react"
import type { ScriptContextName, ScriptId } from "@callsheet/server/calls"
import { nameKey, checkFreeName } from "@callsheet/format"
import { UserError } from "../connection/fault-of.ts"
import { FormDialog } from "../files/form-dialog.tsx"
import { TextField } from "../ui/form-fields.tsx"
import { useSubmit } from "../ui/use-submit.ts"
import { PlanDialog } from "../files/plan-dialog.tsx"
import { visibleText } from "../ui/visible-text.ts"
import { BlockUses } from "../files/block-uses.tsx"
import { ShownText } from "../ui/shown-text.tsx"
import { createScript, showScript, planScriptName, scriptWasRenamed, deleteScript } from "./script-files.ts"
import {
  functionNameFor,
  checkFunctionName,
  scriptKinds,
  scriptTemplate,
  type ScriptKind,
} from "@callsheet/language"

interface Props {
  readonly workflow: string
  readonly taken: readonly string[]
  readonly context?: ScriptContextName
  /** The name to start with. */
  readonly first?: string
  /** Called after the script is created, instead of going to it. */
  readonly onCreated?: (script: string, exportName: string) => void
  readonly onClose: () => void
}

export function NewScriptDialog({ workflow, taken, context, first = "", onCreated, onClose }: Props) {
  const [script, setScript] = useState(first)
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

interface RenameProps {
  readonly id: ScriptId
  readonly taken: readonly string[]
  readonly onClose: () => void
}

export function RenameScriptDialog({ id, taken, onClose }: RenameProps) {
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

interface DeleteProps {
  readonly id: ScriptId
  readonly onClose: () => void
}

export function DeleteScriptDialog({ id, onClose }: DeleteProps) {
  const submit = useSubmit()
  return (
    <FormDialog
      title="Delete the script?"
      submit={submit}
      does="Delete"
      isDanger
      onSubmit={() => submit.run(() => deleteScript(id).then(onClose))}
      onClose={onClose}
    >
      <p>
        This deletes{" "}
        <code className="wrap">
          <ShownText text={`${id.script}.ts`} />
        </code>{" "}
        and its unsaved changes.
      </p>
      <BlockUses file={{ kind: "script", ...id }} />
    </FormDialog>
  )
}

/** Returns why the name is invalid. `taken` are the other scripts of the workflow. */
export function checkScriptName(script: string, taken: readonly string[]): string | undefined {
  if (script === "") return "Enter a name."
  if (script.endsWith(".ts")) return "Leave out .ts. callsheet adds it."
  if (script.endsWith(".d")) return "Names that end in .d are for declaration files."
  const names = script.split("/")
  if (names.some((name) => name === "" || name.startsWith(".") || name === "node_modules"))
    return "Separate folders with /. No part may be empty, start with a dot or be node_modules."
  const finding = names.map(checkFreeName).find((found) => found !== undefined)
  if (finding !== undefined) return `A file can't have this name: ${finding}.`
  const key = nameKey(script)
  return taken.some((other) => nameKey(other) === key) ? "A script with this name already exists." : undefined
}
