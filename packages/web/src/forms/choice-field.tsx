// Fields with a choice of a few words: a list, whose first choice removes an optional field, and a pair of radio buttons.

import { useId } from "react"
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
  readonly absent?: string | undefined
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

interface PairProps {
  readonly label: string
  /** The words of the two choices. */
  readonly words: readonly [first: string, second: string]
  readonly isSecond: boolean
  readonly onChoose: (isSecond: boolean) => void
}

export function PairField({ label, words, isSecond, onChoose }: PairProps) {
  const id = useId()
  return (
    <div className="form-field" role="radiogroup" aria-labelledby={id}>
      <span id={id} className="form-label">
        {label}
      </span>
      <span className="form-control form-radios">
        {[false, true].map((second) => (
          <label key={String(second)} className="form-radio">
            <input type="radio" name={id} checked={isSecond === second} onChange={() => onChoose(second)} />
            {words[Number(second)]}
          </label>
        ))}
      </span>
    </div>
  )
}
