// Fields of a form: text, choice and checkbox. They keep their input until the form is submitted.

import { useId, type ReactNode } from "react"
import { LongText } from "./shown-text.tsx"

interface FieldProps {
  readonly label: ReactNode
  readonly note?: ReactNode
  readonly fault?: string | undefined
}

interface TextProps extends FieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly isCode?: boolean
  readonly isFirst?: boolean
  readonly lines?: number
}

export function TextField({
  label,
  note,
  fault,
  value,
  onChange,
  isCode = false,
  isFirst = false,
  lines = 1,
}: TextProps) {
  const id = useId()
  const common = {
    id,
    className: isCode ? "field-code" : "",
    autoComplete: "off",
    spellCheck: false,
    "data-first": isFirst ? "" : undefined,
    value,
    "aria-invalid": fault !== undefined,
    "aria-describedby": `${id}-note`,
  }
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {lines === 1 ? (
        <input type="text" {...common} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <textarea {...common} rows={lines} onChange={(event) => onChange(event.target.value)} />
      )}
      <FieldNote id={`${id}-note`} note={note} fault={fault} />
    </div>
  )
}

function FieldNote({
  id,
  note,
  fault,
}: {
  readonly id: string
  readonly note: ReactNode
  readonly fault: string | undefined
}) {
  return (
    <p id={id} className={fault === undefined ? "field-note" : "field-error"}>
      {fault === undefined ? note : <LongText text={fault} />}
    </p>
  )
}

export interface Option {
  readonly value: string
  readonly label: string
}

interface ChoiceProps extends FieldProps {
  readonly value: string
  readonly options: readonly Option[]
  readonly onChange: (value: string) => void
  readonly isFirst?: boolean
}

export function ChoiceField({ label, note, fault, value, options, onChange, isFirst = false }: ChoiceProps) {
  const id = useId()
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        data-first={isFirst ? "" : undefined}
        value={value}
        aria-describedby={`${id}-note`}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <FieldNote id={`${id}-note`} note={note} fault={fault} />
    </div>
  )
}

interface CheckProps {
  readonly label: string
  readonly note: ReactNode
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

export function CheckField({ label, note, isOn, onChange }: CheckProps) {
  const id = useId()
  return (
    <div className="check-field">
      <input
        id={id}
        type="checkbox"
        checked={isOn}
        aria-describedby={`${id}-note`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      <p id={`${id}-note`} className="field-note">
        {note}
      </p>
    </div>
  )
}
