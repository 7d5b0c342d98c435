// A field for a string in the file. If the user empties the field, the string is removed.

import type { ReactNode } from "react"
import type { JsonPointer, JsonValue } from "@callsheet/format"
import type { Reads } from "@callsheet/language"
import { useForm } from "./context/form-context.tsx"
import { FormField } from "./form-field.tsx"
import { LiveInput, type LikelyValues } from "./live-input.tsx"
import { formatValue } from "./value-text.ts"

interface Props {
  readonly label: string
  readonly pointer: JsonPointer
  readonly value: JsonValue | undefined
  readonly reads: Reads
  readonly placeholder?: string | undefined
  readonly note?: ReactNode
  /** If true, an empty string stays in the file: if its key were removed and added again, it would move. */
  readonly isRequired?: boolean
  readonly values?: LikelyValues | undefined
}

export function TextField({
  label,
  pointer,
  value,
  reads,
  placeholder,
  note,
  isRequired = false,
  values,
}: Props) {
  const form = useForm()
  return (
    <FormField label={label} pointer={pointer} note={note}>
      {(props) => (
        <LiveInput
          {...props}
          pointer={pointer}
          value={value === undefined ? "" : formatValue(value)}
          reads={reads}
          values={values}
          placeholder={placeholder}
          onChange={(text) => (text === "" && !isRequired ? form.unset(pointer) : form.set(pointer, text))}
        />
      )}
    </FormField>
  )
}
