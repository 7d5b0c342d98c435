// Dialogs that declare, edit, rename and delete a variable. Each previews its change.

import { useState, type ComponentProps } from "react"
import type { EnvironmentsView, VariableView, SchemaChange } from "@callsheet/server/calls"
import { visibleText } from "../ui/visible-text.ts"
import { CheckField, ChoiceField, TextField, type Option } from "../ui/form-fields.tsx"
import { call } from "../connection/call.ts"
import { PlanDialog } from "../files/plan-dialog.tsx"
import { knownEnvironments, readEnvironmentsAgain } from "./use-environments.ts"
import { typeWords } from "./value-text.ts"
import {
  changedDefault,
  changeOfDraft,
  draftOf,
  emptyVariable,
  checkDefault,
  checkVariable,
  type VariableDraft,
} from "./variable-draft.ts"
import { missingName } from "../ui/new-name.ts"

interface Props {
  readonly view: EnvironmentsView
  readonly onClose: () => void
}

interface OfVariable extends Props {
  readonly variable: VariableView
}

export function NewVariableDialog({ view, onClose }: Props) {
  const [draft, setDraft] = useState(emptyVariable)
  const nameFault = checkVariable(draft.name, view.variables)
  const isSound = draft.name !== "" && nameFault === undefined && checkDefault(draft) === undefined
  return (
    <SchemaDialog
      api={view.api}
      title="New variable"
      verb="Declare"
      change={isSound ? changeOfDraft(draft, undefined) : undefined}
      missing={missingName(draft.name)}
      isHarmless
      done={`Declared ${visibleText(draft.name)}`}
      onClose={onClose}
    >
      <TextField
        label="Name"
        isCode
        isFirst
        value={draft.name}
        onChange={(name) => setDraft({ ...draft, name })}
        fault={nameFault}
        note={`Requests and workflows use it as {{${visibleText(draft.name.slice(0, 60)) || "name"}}}.`}
      />
      <DeclarationFields draft={draft} known={undefined} onChange={setDraft} />
    </SchemaDialog>
  )
}

export function EditVariableDialog({ view, variable, onClose }: OfVariable) {
  const [draft, setDraft] = useState(() => draftOf(variable))
  const [known] = useState(variable)
  const isStale = (): boolean => {
    const now = knownEnvironments(view.api)?.variables.find(({ name }) => name === variable.name)
    return JSON.stringify(now) !== JSON.stringify(known)
  }
  return (
    <SchemaDialog
      api={view.api}
      title={`Variable ${visibleText(variable.name)}`}
      verb="Save"
      change={checkDefault(draft) === undefined ? changeOfDraft(draft, known) : undefined}
      isHarmless={draft.secret === known.secret}
      isStale={isStale}
      done={`Saved ${visibleText(variable.name)}`}
      onClose={onClose}
    >
      <DeclarationFields draft={draft} known={known} onChange={setDraft} />
    </SchemaDialog>
  )
}

export function RenameVariableDialog({ view, variable, onClose }: OfVariable) {
  const [name, setName] = useState(variable.name)
  const others = view.variables.filter((other) => other.name !== variable.name)
  const fault = checkVariable(name, others)
  const isSound = name !== "" && name !== variable.name && fault === undefined
  return (
    <SchemaDialog
      api={view.api}
      title={`Rename ${visibleText(variable.name)}`}
      verb="Rename"
      change={isSound ? { do: "rename", name: variable.name, to: name } : undefined}
      missing={missingName(name, variable.name)}
      isHarmless={false}
      done={`Renamed ${visibleText(variable.name)} to ${visibleText(name)}`}
      onClose={onClose}
    >
      <TextField
        label="New name"
        isCode
        isFirst
        value={name}
        onChange={setName}
        fault={fault}
        note="This also updates value files, secrets files and every placeholder that uses it. You review each change first."
      />
    </SchemaDialog>
  )
}

export function DeleteVariableDialog({ view, variable, onClose }: OfVariable) {
  return (
    <SchemaDialog
      api={view.api}
      title={`Delete ${visibleText(variable.name)}?`}
      verb="Delete"
      isDanger
      change={{ do: "delete", name: variable.name }}
      isHarmless={false}
      done={`Deleted ${visibleText(variable.name)}`}
      onClose={onClose}
    >
      <p>This deletes its declaration and its values in all environments. You review each change first.</p>
    </SchemaDialog>
  )
}

const typeOptions: readonly Option[] = (["string", "number", "boolean"] as const).map((type) => ({
  value: type,
  label: typeWords[type] === type ? type : `${typeWords[type]} (${type})`,
}))

interface FieldsProps {
  readonly draft: VariableDraft
  readonly known: VariableView | undefined
  readonly onChange: (draft: VariableDraft) => void
}

function DeclarationFields({ draft, known, onChange }: FieldsProps) {
  return (
    <>
      <ChoiceField
        label="Type"
        note="The type of its values. Numbers are written as in JSON."
        value={draft.type}
        options={typeOptions}
        onChange={(type) => onChange({ ...draft, type: type as VariableDraft["type"] })}
      />
      <CheckField
        label="Required"
        note="Runs don't start if it has no value."
        isOn={draft.required}
        onChange={(required) => onChange({ ...draft, required })}
      />
      <CheckField
        label="Secret"
        note="Its values are kept in the secrets file, which is not in version control, and are masked everywhere."
        isOn={draft.secret}
        onChange={(secret) => onChange({ ...draft, secret })}
      />
      {known?.secret === true && !draft.secret ? <SecretValues draft={draft} onChange={onChange} /> : null}
      <DefaultField draft={draft} known={known} onChange={onChange} />
      <TextField
        label="Description"
        lines={2}
        value={draft.description}
        onChange={(description) => onChange({ ...draft, description })}
        note="Shown next to the variable."
      />
    </>
  )
}

function SecretValues({ draft, onChange }: Omit<FieldsProps, "known">) {
  return (
    <>
      <ChoiceField
        label="Its values in secrets files"
        note="Value files are in version control, secrets files are not."
        value={draft.secretValues}
        options={[
          { value: "keep", label: "Keep them there, where they take precedence" },
          { value: "move", label: "Move them to the value files" },
        ]}
        onChange={(chosen) => onChange({ ...draft, secretValues: chosen === "move" ? "move" : "keep" })}
      />
      {draft.secretValues === "move" ? (
        <p className="env-alarm">
          Value files are in version control: anyone with the repository can read them.
        </p>
      ) : null}
    </>
  )
}

function DefaultField({ draft, known, onChange }: FieldsProps) {
  if (draft.secret) return <SecretDefault draft={draft} known={known} onChange={onChange} />
  const isHidden = known?.isDefaultMasked === true && draft.keepsDefault
  const change = (text: string): void => onChange(changedDefault(draft, text))
  if (draft.type === "boolean") {
    return (
      <ChoiceField
        label="Default"
        note="Used if no file sets a value."
        fault={checkDefault(draft)}
        value={draft.default}
        options={[
          { value: "", label: "None" },
          { value: "true", label: "true" },
          { value: "false", label: "false" },
        ]}
        onChange={change}
      />
    )
  }
  return (
    <TextField
      label="Default"
      isCode
      value={draft.default}
      onChange={change}
      fault={checkDefault(draft)}
      note={
        isHidden
          ? "It contains a secret, so it is not shown. It is kept unless you type a new one."
          : "Used if no file sets a value. Leave it empty for no default."
      }
    />
  )
}

function SecretDefault({ draft, known, onChange }: FieldsProps) {
  if (known?.hasSecretDefault === true) {
    return (
      <CheckField
        label="Remove its default from schema.json"
        note="The default of a secret is in version control."
        isOn={!draft.keepsDefault}
        onChange={(isOn) => onChange({ ...draft, keepsDefault: !isOn })}
      />
    )
  }
  return known?.default === undefined ? null : (
    <p className="env-alarm">Its default is removed because it would be in version control.</p>
  )
}

interface SchemaProps extends Omit<ComponentProps<typeof PlanDialog>, "plan" | "readAgain" | "onDone"> {
  readonly api: string
  /** The change as entered. Absent while it is invalid. */
  readonly change: SchemaChange | undefined
  /** Returns whether the data has changed since the dialog opened. */
  readonly isStale?: () => boolean
}

function SchemaDialog({ api, change, isStale, ...rest }: SchemaProps) {
  return (
    <PlanDialog
      {...rest}
      plan={change === undefined ? undefined : () => call("schemas.plan", { api, change })}
      readAgain={async () => {
        await readEnvironmentsAgain(api)
        return isStale?.() === true
      }}
      onDone={() => readEnvironmentsAgain(api)}
    />
  )
}
