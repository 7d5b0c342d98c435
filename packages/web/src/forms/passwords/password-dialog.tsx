// The dialog that turns passwords into secrets of an environment, so that no file in Git contains them.

import { useState } from "react"
import { checkVariableName } from "@callsheet/format"
import { UserError } from "../../connection/fault-of.ts"
import { useProject } from "../../connection/queries.ts"
import { useEnvironment } from "../../environments/use-environment.ts"
import { ChoiceField, TextField } from "../../ui/form-fields.tsx"
import { FormDialog } from "../../files/form-dialog.tsx"
import { ShownText } from "../../ui/shown-text.tsx"
import { useSubmit } from "../../ui/use-submit.ts"
import { visibleText } from "../../ui/visible-text.ts"
import { saveCredentials } from "../authentication/save-credentials.ts"
import type { PasswordQuestion } from "./password-question.ts"
import type { PlainPassword } from "./plain-passwords.ts"

interface Props {
  readonly api: string
  readonly passwords: readonly PlainPassword[]
  /** Called with the variables that hold the passwords now, in the same order. */
  readonly onStored: (names: readonly string[]) => void
  /** Saves them as they are. Absent if nothing is saved now. */
  readonly onPlain?: () => void
  readonly onClose: () => void
}

export function PasswordDialog({ api, passwords, onStored, onPlain, onClose }: Props) {
  const submit = useSubmit()
  const { data: project } = useProject()
  const environments = project?.apis.find(({ name }) => name === api)?.environments ?? []
  const likely = useEnvironment(api, undefined)
  const [chosen, setChosen] = useState<string>()
  const [names, setNames] = useState(() => passwords.map(({ pointer }) => variableFor(pointer)))
  const environment =
    chosen ?? likely ?? (environments.length === 1 ? environments[0]?.name : undefined) ?? ""
  const store = async (): Promise<void> => {
    const fault = namesFault(names)
    if (fault !== undefined) throw new UserError(fault)
    if (environment === "") throw new UserError("Choose an environment.")
    const variables = passwords.map(({ value }, at) => ({ name: names[at] ?? "", value, isSecret: true }))
    await saveCredentials({ api, variables, environments: [environment] })
    onStored(names)
  }
  const labels = passwords.map(({ label }) => visibleText(label)).join(", ")
  return (
    <FormDialog
      title={passwords.length === 1 ? "Make the password a secret?" : "Make the passwords secrets?"}
      submit={submit}
      does="Store as a secret"
      onSubmit={() => submit.run(store)}
      onClose={onClose}
      actions={
        onPlain === undefined ? null : (
          <button type="button" className="button" onClick={onPlain}>
            Save as plain text
          </button>
        )
      }
    >
      <p>
        The document says that <ShownText text={labels} />{" "}
        {passwords.length === 1 ? "is a password" : "are passwords"}. A saved request is a file that Git
        keeps. A secret is in a file of the environment that Git ignores.
      </p>
      {passwords.map(({ label }, at) => (
        <TextField
          key={label}
          label={passwords.length === 1 ? "Variable" : `Variable for ${visibleText(label)}`}
          isCode
          isFirst={at === 0}
          value={names[at] ?? ""}
          onChange={(name) => setNames(names.map((one, index) => (index === at ? name : one)))}
        />
      ))}
      <ChoiceField
        label="Environment"
        value={environment}
        options={[
          ...(environment === "" ? [{ value: "", label: "Choose…" }] : []),
          ...environments.map(({ name }) => ({ value: name, label: visibleText(name) })),
        ]}
        onChange={setChosen}
      />
    </FormDialog>
  )
}

/** The question before a save. */
export function PasswordQuestionDialog({ api, passwords, answer }: PasswordQuestion) {
  return (
    <PasswordDialog
      key={passwords.map(({ label }) => label).join("\n")}
      {...{ api, passwords }}
      onStored={answer}
      onPlain={() => answer("plain")}
      onClose={() => answer("cancel")}
    />
  )
}

const namesFault = (names: readonly string[]): string | undefined =>
  new Set(names).size < names.length
    ? "Each password needs a variable of its own."
    : names.map(nameFault).find((one) => one !== undefined)

function nameFault(name: string): string | undefined {
  if (name === "") return "Enter the name of the variable."
  const message = checkVariableName(name)?.message
  return message === undefined ? undefined : `${message}.`
}

/** Returns `accountPassword` for the last two names of a pointer. */
function variableFor(pointer: PlainPassword["pointer"]): string {
  const names = pointer.slice(1).filter((step) => typeof step === "string")
  const words = names
    .slice(-2)
    .join(" ")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "")
  const name = words
    .map((word, at) => (at === 0 ? lowered(word) : word.charAt(0).toUpperCase() + word.slice(1)))
    .join("")
  return checkVariableName(name) === undefined && name !== "" ? name : "password"
}

const lowered = (word: string): string => word.charAt(0).toLowerCase() + word.slice(1)
