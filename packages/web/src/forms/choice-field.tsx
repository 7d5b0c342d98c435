// A field with a choice of a few words. If the field is optional, the first choice removes it.

import type { JsonPointer, JsonValue } from "@callsheet/format"
import { visibleText } from "../ui/visible-text.ts"
import { useForm } from "./form-context.tsx"
import { FormField } from "./form-field.tsx"
import { formatValue } from "./value-text.ts"

interface Props {
  readonly label: string
  readonly pointer: JsonPointer
  readonly value: JsonValue | undefined
  /** The values in the file, with their labels. */
  readonly choices: readonly (readonly [value: string, words: string])[]
  /** The value that applies if the file has none. */
  readonly absent?: string
  /** Called with the choice. Without it, the choice is written to the file. */
  readonly onChoose?: (value: string) => void
}

export function ChoiceField({ label, pointer, value, choices, absent, onChoose }: Props) {
  const form = useForm()
  const current = value === undefined ? "" : formatValue(value)
  const isKnown = current === "" || choices.some(([known]) => known === current)
  const choose = (next: string): void => {
    if (onChoose !== undefined) onChoose(next)
    else if (next === "") form.unset(pointer)
    else form.set(pointer, next)
  }
  return (
    <FormField label={label} pointer={pointer}>
      {(props) => (
        <select
          {...props}
          className="form-input"
          value={current}
          onChange={(event) => choose(event.target.value)}
        >
          {absent === undefined ? (
            current === "" && <option value="">Choose…</option>
          ) : (
            <option value="">{absent}</option>
          )}
          {isKnown ? null : <option value={current}>{visibleText(current.slice(0, 200))}</option>}
          {choices.map(([known, words]) => (
            <option key={known} value={known}>
              {visibleText(words)}
            </option>
          ))}
        </select>
      )}
    </FormField>
  )
}
