// Fields with a choice of a few words: a list, whose first choice removes an optional field, and a pair of radio buttons.

import { useId, type ComponentProps } from "react"
import type { JsonPointer, JsonValue } from "@callsheet/format"
import { visibleText } from "../ui/visible-text.ts"
import { useForm } from "./context/form-context.tsx"
import { FormField } from "./form-field.tsx"
import { formatValue } from "./value-text.ts"

type Choice = readonly [value: string, words: string]

interface Props {
  readonly label: string
  readonly pointer: JsonPointer
  readonly value: JsonValue | undefined
  /** The values in the file, with their labels. */
  readonly choices: readonly Choice[]
  /** The value that applies if the file has none. */
  readonly absent?: string | undefined
  /** Called with the choice. Without it, the choice is written to the file. */
  readonly onChoose?: (value: string) => void
}

export function ChoiceField({ label, pointer, value, choices, absent, onChoose }: Props) {
  const form = useForm()
  const current = value === undefined ? "" : formatValue(value)
  const isKnown = current === "" || choices.some(([known]) => known === current)
  const unknown: readonly Choice[] = isKnown ? [] : [[current, current.slice(0, 200)]]
  const none = absent ?? (current === "" ? "Choose…" : undefined)
  const first: readonly Choice[] = none === undefined ? [] : [["", none]]
  const choose = (next: string): void => {
    if (onChoose !== undefined) onChoose(next)
    else if (next === "") form.unset(pointer)
    else form.set(pointer, next)
  }
  return (
    <FormField label={label} pointer={pointer}>
      {(props) => (
        <Select {...props} value={current} choices={[...first, ...unknown, ...choices]} onChange={choose} />
      )}
    </FormField>
  )
}

interface SelectProps extends Omit<ComponentProps<"select">, "onChange"> {
  readonly choices: readonly Choice[]
  readonly onChange: (value: string) => void
}

export const Select = ({ choices, onChange, className = "", ...props }: SelectProps) => (
  <select {...props} className={`form-input ${className}`} onChange={({ target }) => onChange(target.value)}>
    {choices.map(([value, words]) => (
      <option key={value} value={value}>
        {visibleText(words)}
      </option>
    ))}
  </select>
)

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
