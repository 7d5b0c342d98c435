// The input for a secret. No state contains its value.

import { useLayoutEffect, useRef, useState, type ClipboardEvent, type RefObject } from "react"
import { visibleText } from "../ui/visible-text.ts"

export type SecretElement = HTMLInputElement | HTMLTextAreaElement

interface Props {
  readonly field: RefObject<SecretElement | null>
  readonly fault: string | undefined
  readonly environment: string
}

export function SecretField({ field, fault, environment }: Props) {
  /** A one-line field would drop the line breaks of a pasted key. */
  const [isLong, setLong] = useState(false)
  const pasted = useRef("")
  useLayoutEffect(() => {
    if (!isLong || field.current === null) return
    field.current.value = pasted.current
    pasted.current = ""
    field.current.focus()
  }, [isLong, field])
  const onPaste = (event: ClipboardEvent): void => {
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
    ref: (element: SecretElement | null) => {
      field.current = element
    },
  }
  return (
    <div className="field">
      <label className="field-label" htmlFor="env-secret">
        New value
      </label>
      {isLong ? (
        <textarea {...common} className="field-code env-masked" rows={6} />
      ) : (
        <input {...common} type="password" className="field-code" data-first="" />
      )}
      <p id="env-secret-note" className={fault === undefined ? "field-note" : "field-error"}>
        {fault ??
          `Saved in ${visibleText(environment)}.secrets.env, which is not in version control. You can paste several lines.`}
      </p>
    </div>
  )
}
