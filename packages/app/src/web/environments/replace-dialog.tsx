// Sets a secret. What is typed stands in the field and nowhere else: in no state, no draft, and not in the page once it is sent.

import { useLayoutEffect, useRef, useState, type ClipboardEvent } from "react"
import type { EnvironmentsView, VariableView } from "../../api.ts"
import { call } from "../connection/call.ts"
import { Refused } from "../connection/send.ts"
import { visibleText } from "../text/visible-text.ts"
import { announce } from "./announcement.tsx"
import { FormDialog, useSubmit } from "./form.tsx"
import { holdEtag, knownEnvironments, readEnvironmentsAgain } from "./use-environments.ts"
import { isTyped, typeWords } from "./value-text.ts"

interface Props {
  readonly view: EnvironmentsView
  readonly variable: VariableView
  readonly environment: string
  readonly onClose: () => void
}

type Field = HTMLInputElement | HTMLTextAreaElement

export function ReplaceDialog({ view, variable, environment, onClose }: Props) {
  const submit = useSubmit()
  const field = useRef<Field>(null)
  /** A field of one line would lose the line breaks of a key that is pasted. */
  const [isLong, setLong] = useState(false)
  const [fault, setFault] = useState<string>()
  const pasted = useRef("")
  const { api } = view
  const { name, type } = variable
  useLayoutEffect(() => {
    if (!isLong || field.current === null) return
    field.current.value = pasted.current
    pasted.current = ""
    field.current.focus()
  }, [isLong])
  const save = async (): Promise<void> => {
    const etag =
      knownEnvironments(api)?.environments.find((column) => column.name === environment)?.etag ?? null
    const value = field.current?.value ?? ""
    try {
      const written = await call("environments.write", {
        api,
        environment,
        etag,
        set: { [name]: value },
        unset: [],
      })
      holdEtag(api, environment, written.etag)
    } catch (error) {
      // What has changed is read, so that the person can see it, and save once more.
      if (error instanceof Refused && error.status === 409) await readEnvironmentsAgain(api)
      throw error
    }
    if (field.current !== null) field.current.value = ""
    announce(`Saved ${visibleText(name)} in ${visibleText(environment)}`)
    void readEnvironmentsAgain(api)
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
  const onPaste = (event: ClipboardEvent<Field>): void => {
    const text = event.clipboardData.getData("text/plain")
    if (isLong || !/[\r\n]/.test(text.trim())) return
    event.preventDefault()
    pasted.current = text
    setLong(true)
  }
  const common = {
    id: "env-secret",
    "aria-invalid": fault !== undefined,
    "aria-describedby": "env-secret-note",
    autoComplete: "new-password",
    spellCheck: false,
    onPaste,
  }
  return (
    <FormDialog
      title={`${visibleText(name)} in ${visibleText(environment)}`}
      submit={submit}
      does="Save"
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <div className="field">
        <label className="field-label" htmlFor="env-secret">
          New value
        </label>
        {isLong ? (
          <textarea
            {...common}
            ref={(element) => {
              field.current = element
            }}
            className="env-code env-masked"
            rows={6}
          />
        ) : (
          <input
            {...common}
            ref={(element) => {
              field.current = element
            }}
            type="password"
            className="env-code"
            autoFocus
          />
        )}
        <p id="env-secret-note" className={fault === undefined ? "field-note" : "field-error"}>
          {fault ??
            `It is written to ${visibleText(environment)}.secrets.env, which is not in version control. Paste a text of several lines as it is.`}
        </p>
      </div>
    </FormDialog>
  )
}
