// A field for a number. Invalid input stays in the field but isn't written to the file.

import { useState } from "react"
import type { JsonPointer, JsonValue } from "@callsheet/format"
import { useForm } from "./form-context.tsx"
import { FormField } from "./form-field.tsx"
import { numberOf, numberText } from "./value-text.ts"

interface Props {
  readonly label: string
  readonly pointer: JsonPointer
  readonly value: JsonValue | undefined
  /** The value that applies if the field is empty. */
  readonly placeholder?: string | undefined
  readonly unit?: string
}

export function NumberInput({ label, pointer, value, placeholder, unit }: Props) {
  const form = useForm()
  const [typed, setTyped] = useState<{ readonly text: string; readonly over: JsonValue | undefined }>()
  // If undo or a change on disk has set another value, show that instead of the typed text.
  const isOwn = typed !== undefined && typed.over === value
  const text = isOwn ? typed.text : numberText(value)
  const isFaulty = isOwn && typed.text.trim() !== "" && numberOf(typed.text) === undefined
  const type = (next: string): void => {
    const number = numberOf(next)
    setTyped({ text: next, over: number ?? (next.trim() === "" ? undefined : value) })
    if (next.trim() === "") form.unset(pointer)
    else if (number !== undefined) form.set(pointer, number)
  }
  return (
    <FormField label={label} pointer={pointer} fault={isFaulty ? "This must be a number." : undefined}>
      {(props) => (
        <span className="form-number">
          <input
            {...props}
            type="text"
            inputMode="decimal"
            className="form-input"
            value={text}
            placeholder={placeholder}
            onChange={(event) => type(event.target.value)}
          />
          {unit === undefined ? null : <span className="form-unit">{unit}</span>}
        </span>
      )}
    </FormField>
  )
}
