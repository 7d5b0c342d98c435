// A control for a path or for text with placeholders: one line with suggestions, or several lines.

import type { JsonPointer } from "@callsheet/format"
import { TokenField } from "./tokens/token-field.tsx"
import type { Reads, Suggestions } from "@callsheet/language"
import { useSuggest } from "./completion/roots.ts"
import { Combobox } from "./combobox.tsx"
import type { ControlProps } from "./form-field.tsx"
import { InheritedControl } from "./inherited.tsx"

interface Props extends Partial<ControlProps> {
  readonly pointer: JsonPointer
  readonly value: string
  readonly onChange: (text: string) => void
  readonly reads: Reads
  /** The accessible name. Required if the control has no visible label. */
  readonly label?: string | undefined
  readonly placeholder?: string | undefined
  readonly onEnter?: () => void
  readonly values?: LikelyValues | undefined
}

export type LikelyValues = readonly string[] | AskedValues

export interface AskedValues {
  readonly known: readonly string[]
  readonly ask: () => Promise<readonly string[]>
}

/** A one-line control would join the lines of a longer text, so such text gets several lines. */
export function LiveInput({
  pointer,
  value,
  onChange,
  reads,
  label,
  placeholder,
  onEnter,
  values = [],
  ...aria
}: Props) {
  const live = useSuggest(reads)
  const suggest = (text: string, caret: number) => {
    if (text.includes("{{") || ("length" in values && values.length === 0)) return live(text, caret)
    if ("length" in values) return likelyValues(values, text)
    const later = values.ask().then((known) => likelyValues(known, text))
    return { now: likelyValues(values.known, text), later }
  }
  const field = (
    <TokenField text={value} reads={reads} pointer={pointer}>
      {/[\r\n]/.test(value) ? (
        <textarea
          {...aria}
          aria-label={label}
          className="form-input form-area form-code"
          rows={Math.min(12, value.split("\n").length + 1)}
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <Combobox
          {...aria}
          label={label}
          value={value}
          onChange={onChange}
          suggest={suggest}
          placeholder={placeholder}
          isCode
          onEnter={onEnter}
        />
      )}
    </TokenField>
  )
  return (
    <InheritedControl pointer={pointer} label={label ?? ""}>
      {field}
    </InheritedControl>
  )
}

function likelyValues(values: readonly string[], text: string): Suggestions {
  // If a value is chosen, the user wants another one, so suggest all.
  const shown = values.includes(text)
    ? [text, ...values.filter((one) => one !== text)]
    : values.filter((one) => one.toLowerCase().includes(text.toLowerCase()))
  return { from: 0, to: text.length, items: shown.map((one) => ({ text: one })) }
}
