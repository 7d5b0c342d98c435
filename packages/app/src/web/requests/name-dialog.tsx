// Asks for the resource and the name of a saved request: a new one, a copy, or another name.

import { useEffect, useId, useRef, useState, type ReactNode } from "react"
import type { SavedRequestView } from "../../api.ts"
import { Dialog } from "../parts/dialog.tsx"
import { objectToRequestName, type RequestName } from "./request-names.ts"

interface Props {
  readonly title: string
  readonly does: string
  readonly first: RequestName
  readonly taken: readonly SavedRequestView[]
  /** What is to be known before. */
  readonly note?: ReactNode
  /** Fields before the name. */
  readonly children?: ReactNode
  /** Resolves to what stood in the way. */
  readonly onDo: (name: RequestName) => Promise<string | undefined>
  readonly onClose: () => void
}

export function NameDialog({ title, does, first, taken, note, children, onDo, onClose }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  // After the dialog is shown, which takes the focus to its first field.
  useEffect(() => input.current?.focus(), [])
  const [name, setName] = useState(first)
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (): Promise<void> => {
    const objection = objectToRequestName(name, taken)
    setFault(objection)
    if (objection !== undefined || isBusy) return
    setBusy(true)
    const failure = await onDo(name)
    setBusy(false)
    if (failure === undefined) onClose()
    else setFault(failure)
  }
  return (
    <Dialog label={title} className="dialog-confirm dialog-name" onClose={onClose} isForm>
      <form
        className="confirm"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <h2>{title}</h2>
        {children}
        {(
          [
            ["resource", "Resource"],
            ["request", "Name"],
          ] as const
        ).map(([field, words]) => (
          <div key={field} className="form-field">
            <label className="form-label" htmlFor={`${id}-${field}`}>
              {words}
            </label>
            <input
              id={`${id}-${field}`}
              type="text"
              className="form-input"
              ref={field === "request" ? input : undefined}
              autoComplete="off"
              spellCheck={false}
              aria-invalid={fault !== undefined}
              aria-describedby={`${id}-fault`}
              value={name[field]}
              onFocus={(event) => event.target.select()}
              onChange={(event) => setName({ ...name, [field]: event.target.value })}
            />
          </div>
        ))}
        {note === undefined ? null : <div className="form-note">{note}</div>}
        <p id={`${id}-fault`} role="alert" className="form-fault dialog-fault">
          {fault}
        </p>
        <div className="confirm-actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button button-main">
            {does}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
