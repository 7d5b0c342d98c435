// A field for the name of a script or of its function.

import { useId } from "react"

interface Props {
  readonly label: string
  readonly value: string
  readonly hint?: string
  readonly fault: string | undefined
  readonly onChange: (text: string) => void
  /** Has the focus when the dialog opens. */
  readonly isFirst?: boolean
}

export function ScriptNameField({ label, value, hint, fault, onChange, isFirst = false }: Props) {
  const id = useId()
  return (
    <div className="form-field">
      <label className="form-label" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        type="text"
        className="form-input"
        autoFocus={isFirst}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={fault !== undefined}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="form-note script-hint">
          {hint}
        </p>
      )}
    </div>
  )
}
