// A field with a list of suggestions: typing narrows it, arrows move in it, Enter takes what is active, Escape closes it.

import { useId, useRef, useState, type ChangeEvent, type KeyboardEvent } from "react"
import { movedIndex } from "../parts/list-keys.ts"
import type { ControlProps } from "./form-field.tsx"
import { SuggestionList } from "./suggestion-list.tsx"
import { noSuggestions, withSuggestion, type Suggestion, type Suggestions } from "./suggestion.ts"

export interface ComboboxProps extends Partial<ControlProps> {
  readonly value: string
  readonly onChange: (text: string) => void
  /** May take a while: what it says of a text that is another by then is not shown. */
  readonly suggest: (text: string, caret: number) => Suggestions | Promise<Suggestions>
  /** A suggestion was taken. Unless given, it is put into the text. */
  readonly onTake?: (suggestion: Suggestion) => void
  readonly label?: string | undefined
  readonly placeholder?: string | undefined
  readonly isCode?: boolean
  /** What is typed takes the place of what is there. */
  readonly selectsAll?: boolean
  /** Enter where nothing is taken. */
  readonly onEnter?: () => void
  readonly onBlur?: () => void
}

interface Open {
  readonly suggestions: Suggestions
  readonly active: number
}

export function Combobox(props: ComboboxProps) {
  const {
    value,
    onChange,
    suggest,
    onTake,
    label,
    placeholder,
    isCode = false,
    selectsAll = false,
    onEnter,
    onBlur,
    ...aria
  } = props
  const [open, setOpen] = useState<Open>()
  const input = useRef<HTMLInputElement>(null)
  const asked = useRef(0)
  const listId = useId()
  const close = (): void => {
    asked.current++
    setOpen(undefined)
  }
  const ask = async (text: string, caret: number): Promise<void> => {
    const number = ++asked.current
    const suggestions = await Promise.resolve(suggest(text, caret)).catch(() => noSuggestions)
    if (number !== asked.current) return
    setOpen(suggestions.items.length === 0 ? undefined : { suggestions, active: 0 })
  }
  const askHere = (): void => void ask(value, input.current?.selectionStart ?? value.length)
  const take = (suggestion: Suggestion | undefined): void => {
    if (suggestion === undefined || open === undefined) return
    close()
    if (onTake !== undefined) return onTake(suggestion)
    const next = withSuggestion(value, open.suggestions, suggestion)
    onChange(next.text)
    requestAnimationFrame(() => input.current?.setSelectionRange(next.caret, next.caret))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const isHandled = handleKey(event, { open, setOpen, take, close, askHere, onEnter })
    if (!isHandled) return
    event.preventDefault()
    event.stopPropagation()
  }
  const active = open?.suggestions.items[open.active]
  return (
    <span className="combobox">
      <input
        {...aria}
        ref={input}
        type="text"
        role="combobox"
        autoComplete="off"
        spellCheck={false}
        aria-autocomplete="list"
        aria-expanded={open !== undefined}
        aria-controls={open === undefined ? undefined : listId}
        aria-activedescendant={active === undefined ? undefined : `${listId}-${open?.active}`}
        aria-label={label}
        className={isCode ? "form-input form-code" : "form-input"}
        value={value}
        placeholder={placeholder}
        onChange={(event: ChangeEvent<HTMLInputElement>) => {
          onChange(event.target.value)
          void ask(event.target.value, event.target.selectionStart ?? event.target.value.length)
        }}
        onFocus={(event) => (selectsAll ? event.target.select() : undefined)}
        onClick={(event) => {
          if (selectsAll && open === undefined) event.currentTarget.select()
          askHere()
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          close()
          onBlur?.()
        }}
      />
      {open === undefined ? null : (
        <SuggestionList
          id={listId}
          items={open.suggestions.items}
          active={open.active}
          anchor={input}
          onTake={take}
        />
      )}
    </span>
  )
}

interface Keys {
  readonly open: Open | undefined
  readonly setOpen: (open: Open | undefined) => void
  readonly take: (suggestion: Suggestion | undefined) => void
  readonly close: () => void
  readonly askHere: () => void
  readonly onEnter: (() => void) | undefined
}

/** Whether the key was one of the list. */
function handleKey(event: KeyboardEvent, keys: Keys): boolean {
  const { open, setOpen, take, close, askHere, onEnter } = keys
  const { key, nativeEvent, ctrlKey, metaKey } = event
  if (nativeEvent.isComposing) return false
  if (open === undefined) {
    if (key === "ArrowDown" || (key === " " && ctrlKey)) {
      askHere()
      return true
    }
    if (key === "Enter" && onEnter !== undefined && !ctrlKey && !metaKey) {
      onEnter()
      return true
    }
    return false
  }
  const { items } = open.suggestions
  const next = movedIndex(key, open.active, items.length)
  if (next !== undefined) setOpen({ ...open, active: next })
  else if (key === "Enter" && !ctrlKey && !metaKey) take(items[open.active])
  else if (key === "Escape") close()
  else return false
  return true
}
