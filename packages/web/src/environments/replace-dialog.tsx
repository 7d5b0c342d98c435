// Sets a secret. Only the input has the typed value: no state, no draft. After sending it, the page forgets it.

import { useRef, useState } from "react"
import type { EnvironmentsView, VariableView } from "@callsheet/server/calls"
import { call } from "../connection/call.ts"
import { visibleText } from "../ui/visible-text.ts"
import { announce } from "../ui/announcement.tsx"
import { FormDialog } from "../files/form-dialog.tsx"
import { useSubmit } from "../ui/use-submit.ts"
import { noteWrite } from "./cell-history.ts"
import { SecretField, type SecretElement } from "./secret-field.tsx"
import { afterSaves } from "./save-cell.ts"
import { holdEtag, knownEnvironments, readEnvironmentsAgain, readingAgainOn409 } from "./use-environments.ts"
import { isTyped, typeWords } from "./value-text.ts"

interface Props {
  readonly view: EnvironmentsView
  readonly variable: VariableView
  readonly environment: string
  readonly onClose: () => void
}

export function ReplaceDialog({ view, variable, environment, onClose }: Props) {
  const submit = useSubmit()
  const field = useRef<SecretElement>(null)
  const [fault, setFault] = useState<string>()
  const { api } = view
  const { name, type } = variable
  const save = async (): Promise<void> => {
    await afterSaves({ api, environment })
    const etag =
      knownEnvironments(api)?.environments.find((column) => column.name === environment)?.etag ?? null
    const value = field.current?.value ?? ""
    const written = await readingAgainOn409(api, () =>
      call("environments.write", { api, environment, etag, set: { [name]: value }, unset: [] }),
    )
    holdEtag(api, environment, written.etag)
    if (field.current !== null) field.current.value = ""
    announce(`Saved ${visibleText(name)} in ${visibleText(environment)}`)
    void readEnvironmentsAgain(api).then(() =>
      noteWrite({ api, environment, variable: name }, view, undefined),
    )
    onClose()
  }
  const onSubmit = (): void => {
    const value = field.current?.value ?? ""
    if (value === "") setFault("Type or paste the value first.")
    else if (!isTyped(value, type))
      setFault(`The value must be ${type === "number" ? "a number" : typeWords[type]}.`)
    else {
      setFault(undefined)
      submit.run(save)
    }
  }
  return (
    <FormDialog
      title={`${visibleText(name)} in ${visibleText(environment)}`}
      submit={submit}
      does="Save"
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <SecretField
        label="New value"
        isFirst
        field={field}
        fault={fault}
        note={`Saved in ${visibleText(environment)}.secrets.env, which is not in version control. You can paste several lines.`}
      />
    </FormDialog>
  )
}
