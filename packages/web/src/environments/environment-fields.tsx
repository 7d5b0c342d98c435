// Form fields of an environment's settings: name, parent, level, certificates.

import { hints, isEnvironmentName, type Level } from "@callsheet/format"
import type { EnvironmentsView } from "@callsheet/server/calls"
import { checkNewName } from "../ui/check-new-name.ts"
import { visibleText } from "../ui/visible-text.ts"
import { ChoiceField, TextField, type Option } from "../ui/form-fields.tsx"
import { withDescendants } from "./table-model.ts"

/** Returns the problem of a new environment's name. An empty name has no problem yet. */
export function checkName(view: EnvironmentsView, name: string, own?: string): string | undefined {
  return checkNewName(name, {
    what: "an environment",
    isName: isEnvironmentName,
    hint: hints.environmentName,
    taken: view.environments.map((other) => other.name),
    own,
  })
}

interface NameProps {
  readonly view: EnvironmentsView
  readonly value: string
  readonly own?: string
  readonly onChange: (name: string) => void
}

export function NameField({ view, value, own, onChange }: NameProps) {
  return (
    <TextField
      label="Name"
      isCode
      isFirst
      value={value}
      onChange={onChange}
      fault={checkName(view, value, own)}
      note={`Saved as apis/${visibleText(view.api)}/environments/${visibleText(value.slice(0, 80)) || "<name>"}.json`}
    />
  )
}

interface ExtendsProps {
  readonly view: EnvironmentsView
  readonly environment?: string
  readonly value: string
  readonly onChange: (parent: string) => void
}

export function ExtendsField({ view, environment, value, onChange }: ExtendsProps) {
  const barred = environment === undefined ? new Set<string>() : withDescendants(view, environment)
  const names = view.environments.map(({ name }) => name).filter((name) => !barred.has(name))
  const isGone = value !== "" && !names.includes(value)
  const options: readonly Option[] = [
    { value: "", label: "None" },
    ...names.map((name) => ({ value: name, label: visibleText(name) })),
    ...(isGone ? [{ value, label: `${visibleText(value)} (can't be extended)` }] : []),
  ]
  return (
    <ChoiceField
      label="Extends"
      note="It inherits the values that it doesn't set."
      value={value}
      options={options}
      onChange={onChange}
    />
  )
}

/** The chosen value. Empty if there is none. */
export type LevelChoice = Level | ""

const consequences: { readonly [L in LevelChoice]: string } = {
  "": "Inherited; local if nothing is inherited.",
  local: "Runs start without a confirmation.",
  staging: "Runs start without a confirmation.",
  production: "Runs ask for confirmation before they send anything.",
}

const levelOptions: readonly Option[] = [
  { value: "", label: "Not set" },
  { value: "local", label: "local" },
  { value: "staging", label: "staging" },
  { value: "production", label: "production" },
]

interface LevelProps {
  readonly value: LevelChoice
  readonly onChange: (level: LevelChoice) => void
}

export function LevelField({ value, onChange }: LevelProps) {
  return (
    <ChoiceField
      label="Level"
      note={consequences[value]}
      value={value}
      options={levelOptions}
      onChange={(level) => onChange(level as LevelChoice)}
    />
  )
}

/** The chosen value. Empty if there is none. */
export type VerifyChoice = "" | "true" | "false"

interface VerifyProps {
  readonly value: VerifyChoice
  readonly onChange: (verify: VerifyChoice) => void
}

export function VerifyField({ value, onChange }: VerifyProps) {
  return (
    <>
      <ChoiceField
        label="TLS certificates"
        note="Require a trusted certificate. If not set, this is inherited; the default is Verify."
        value={value}
        options={[
          { value: "", label: "Not set" },
          { value: "true", label: "Verify" },
          { value: "false", label: "Don't verify" },
        ]}
        onChange={(verify) => onChange(verify as VerifyChoice)}
      />
      {value === "false" ? (
        <p className="env-alarm">
          Certificates are not verified. Anyone between you and the API can read and change what is sent,
          including secrets. Use this only for your own machines.
        </p>
      ) : null}
    </>
  )
}
