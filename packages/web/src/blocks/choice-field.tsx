// A field for one of a few words. The first choice stands for a field that the file does not hold, where it may be left out.

import type { JsonPointer, JsonValue } from "@callsheet/format"
import { visibleText } from "../text/visible-text.ts"
import { useForm } from "./form-context.tsx"
import { FormField } from "./form-field.tsx"
import { textOf } from "./value-text.ts"

interface Props {
  readonly label: string
  readonly pointer: JsonPointer
  readonly value: JsonValue | undefined
  /** By what the file says, with the words beside it. */
  readonly choices: readonly (readonly [value: string, words: string])[]
  /** What holds where the file says nothing. */
  readonly absent?: string
  /** In place of writing the value alone. */
  readonly onChoose?: (value: string) => void
}

export function ChoiceField({ label, pointer, value, choices, absent, onChoose }: Props) {
  const form = useForm()
  const current = value === undefined ? "" : textOf(value)
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
