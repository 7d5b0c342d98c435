// Dialogs that create, rename and delete an environment, and the fields that they share with its settings.

import { useState } from "react"
import type { EnvironmentColumn, EnvironmentsView } from "@callsheet/server/calls"
import { hints, isEnvironmentName, type Level } from "@callsheet/format"
import { call } from "../connection/call.ts"
import { goTo } from "../routes/use-route.ts"
import { visibleText } from "../ui/visible-text.ts"
import { announce } from "../ui/announcement.tsx"
import { FormDialog } from "../files/form-dialog.tsx"
import { useSubmit } from "../ui/use-submit.ts"
import { checkNewName, needName } from "../ui/new-name.ts"
import { ChoiceField, TextField, type Option } from "../ui/form-fields.tsx"
import { childrenOf, withDescendants } from "./table-model.ts"
import { readEnvironmentsAgain, readingAgainOn409 } from "./use-environments.ts"

interface Props {
  readonly view: EnvironmentsView
  readonly onClose: () => void
}

interface OfEnvironment extends Props {
  readonly environment: EnvironmentColumn
}

export function NewEnvironmentDialog({ view, onClose }: Props) {
  const submit = useSubmit()
  const [name, setName] = useState("")
  const [parent, setParent] = useState("")
  const [level, setLevel] = useState<LevelChoice>("")
  const create = async (): Promise<void> => {
    needName(name)
    const { api } = view
    await call("environments.create", {
      api,
      environment: name,
      extends: parent === "" ? null : parent,
      level: level === "" ? null : level,
    })
    await readEnvironmentsAgain(api)
    announce(`Created ${visibleText(name)}`)
    onClose()
    goTo({ kind: "environment", api, environment: name })
  }
  return (
    <FormDialog
      title="New environment"
      submit={submit}
      does="Create"
      onSubmit={() => {
        if (checkName(view, name) === undefined) submit.run(create)
      }}
      onClose={onClose}
    >
      <NameField view={view} value={name} onChange={setName} />
      <ExtendsField view={view} value={parent} onChange={setParent} />
      <LevelField value={level} onChange={setLevel} />
    </FormDialog>
  )
}

export function RenameEnvironmentDialog({ view, environment, onClose }: OfEnvironment) {
  const submit = useSubmit()
  const [name, setName] = useState(environment.name)
  const { api } = view
  const children = childrenOf(view, environment.name)
  const rename = async (): Promise<void> => {
    needName(name, environment.name)
    await readingAgainOn409(api, () =>
      call("environments.rename", { api, environment: environment.name, etag: environment.etag, to: name }),
    )
    await readEnvironmentsAgain(api)
    announce(`Renamed ${visibleText(environment.name)} to ${visibleText(name)}`)
    onClose()
    goTo({ kind: "environment", api, environment: name })
  }
  return (
    <FormDialog
      title={`Rename ${visibleText(environment.name)}`}
      submit={submit}
      does="Rename"
      onSubmit={() => {
        if (checkName(view, name, environment.name) === undefined) submit.run(rename)
      }}
      onClose={onClose}
    >
      <NameField view={view} value={name} own={environment.name} onChange={setName} />
      <p className="field-note">
        Its value file and its secrets file are renamed
        {children.length === 0 ? "." : `, and ${listOf(children)} will extend the new name.`}
      </p>
    </FormDialog>
  )
}

export function DeleteEnvironmentDialog({ view, environment, onClose }: OfEnvironment) {
  const submit = useSubmit()
  const { api } = view
  const { name, etag } = environment
  const children = childrenOf(view, name)
  const remove = async (): Promise<void> => {
    await readingAgainOn409(api, () => call("environments.delete", { api, environment: name, etag }))
    onClose()
    goTo({ kind: "environments", api })
    await readEnvironmentsAgain(api)
    announce(`Deleted ${visibleText(name)}`)
  }
  const isUsed = children.length > 0
  return (
    <FormDialog
      title={`Delete ${visibleText(name)}?`}
      submit={submit}
      does={isUsed ? undefined : "Delete"}
      isDanger={!isUsed}
      onSubmit={() => {
        if (!isUsed) submit.run(remove)
      }}
      onClose={onClose}
    >
      {isUsed ? (
        <p>
          You can't delete it, because {listOf(children)} {children.length === 1 ? "extends" : "extend"} it.
          Change what {children.length === 1 ? "it extends" : "they extend"} in Settings first.
        </p>
      ) : (
        <p>
          This deletes its value file and its secrets file. The secrets are not in version control and can't
          be restored.
        </p>
      )}
    </FormDialog>
  )
}

const longestList = 10

/** Formats names as `base and local`. Shortens long lists. */
function listOf(names: readonly string[]): string {
  const shown = names.slice(0, longestList).map((name) => `"${visibleText(name)}"`)
  const more = names.length - shown.length
  if (more > 0) return `${shown.join(", ")} and ${more} more`
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1) ?? ""}`
}

/** Returns the problem of a new environment's name. An empty name has no problem yet. */
function checkName(view: EnvironmentsView, name: string, own?: string): string | undefined {
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

function NameField({ view, value, own, onChange }: NameProps) {
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
