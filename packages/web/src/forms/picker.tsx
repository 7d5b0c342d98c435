// A field that searches for an item. Nothing changes until the user takes one.

import { useState } from "react"
import type { JsonPointer } from "@callsheet/format"
import { TokenField } from "./tokens/token-field.tsx"
import { Combobox } from "./combobox.tsx"
import type { ControlProps } from "./form-field.tsx"
import type { Suggestion } from "@callsheet/language"

interface Props extends Partial<ControlProps> {
  /** Set if the value may contain placeholders. */
  readonly pointer?: JsonPointer
  readonly value: string
  readonly find: (query: string) => readonly Suggestion[]
  readonly onPick: (suggestion: Suggestion) => void
  /** Called on Enter with the text, if nothing matches it or if it contains a placeholder. */
  readonly onText?: (text: string) => void
  readonly onEmpty?: (() => void) | undefined
  readonly label?: string
  readonly placeholder?: string
}

export function Picker({
  pointer,
  value,
  find,
  onPick,
  onText,
  onEmpty,
  label,
  placeholder,
  ...aria
}: Props) {
  const [query, setQuery] = useState<string>()
  const settle = (): void => {
    setQuery(undefined)
    if (query === undefined || query === value) return
    if (query === "") onEmpty?.()
    else if (query.includes("{{")) onText?.(query)
  }
  const box = (
    <Combobox
      {...aria}
      label={label}
      placeholder={placeholder}
      isCode
      selectsAll={query === undefined}
      value={query ?? value}
      onChange={setQuery}
      // Suggest everything until the user types.
      suggest={(text) => ({
        from: 0,
        to: text.length,
        items: find(query === undefined && text === value ? "" : text),
      })}
      onTake={(suggestion) => {
        setQuery(undefined)
        onPick(suggestion)
      }}
      onEnter={() => {
        if (query !== undefined && query !== "") onText?.(query)
        setQuery(undefined)
      }}
      onBlur={settle}
    />
  )
  if (pointer === undefined) return box
  return (
    <TokenField text={query ?? value} reads="text" pointer={pointer}>
      {box}
    </TokenField>
  )
}
