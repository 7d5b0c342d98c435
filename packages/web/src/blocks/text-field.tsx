// A field for a text in the file. Emptying it removes the text from the file.

import type { ReactNode } from "react"
import type { JsonPointer, JsonValue } from "@callsheet/format"
import type { Reads } from "./completion/complete.ts"
import { useForm } from "./form-context.tsx"
import { FormField } from "./form-field.tsx"
import { LiveInput, type LikelyValues } from "./live-input.tsx"
import { formatValue } from "./value-text.ts"

interface Props {
  readonly label: string
  readonly pointer: JsonPointer
  readonly value: JsonValue | undefined
  readonly reads: Reads
  readonly placeholder?: string
  readonly note?: ReactNode
  /** A required text stays when emptied: removing its key would add it back at a different position. */
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
