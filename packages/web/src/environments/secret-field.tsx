// A field for a secret. Only its element has the typed value: no state, no draft.

import { useId, useLayoutEffect, useRef, useState, type ClipboardEvent, type RefObject } from "react"

export type SecretElement = HTMLInputElement | HTMLTextAreaElement

interface Props {
  readonly label: string
  readonly field: RefObject<SecretElement | null>
  readonly fault: string | undefined
  readonly note: string
  readonly isFirst: boolean
}

export function SecretField({ label, field, fault, note, isFirst }: Props) {
  const id = useId()
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
    id,
    "aria-invalid": fault !== undefined,
    "aria-describedby": `${id}-note`,
    autoComplete: "new-password",
    spellCheck: false,
    onPaste,
    ref: (element: SecretElement | null) => {
      field.current = element
    },
  }
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {isLong ? (
        <textarea {...common} className="field-code env-masked" rows={6} />
      ) : (
        <input {...common} type="password" className="field-code" data-first={isFirst ? "" : undefined} />
      )}
      <p id={`${id}-note`} className={fault === undefined ? "field-note" : "field-error"}>
        {fault ?? note}
      </p>
    </div>
  )
}
