// A field with suggestions. Typing filters them, arrow keys move, Enter takes the active one, Escape closes the list.

import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ChangeEvent,
  type KeyboardEvent,
  type RefObject,
} from "react"
import { movedIndex } from "../ui/list-keys.ts"
import { MethodBadge } from "../ui/badges.tsx"
import { useOverPage } from "../ui/anchored.tsx"
import { VirtualList } from "../ui/virtual-list.tsx"
import { ShownText } from "../ui/shown-text.tsx"
import type { ControlProps } from "./form-field.tsx"
import {
  activeIn,
  noSuggestions,
  withSuggestion,
  type GrowingSuggestions,
  type Suggestion,
  type Suggestions,
} from "@callsheet/language"

interface ComboboxProps extends Partial<ControlProps> {
  readonly value: string
  readonly onChange: (text: string) => void
  /** Returns suggestions. If it is slow and the text has changed since, they are ignored. */
  readonly suggest: (text: string, caret: number) => Suggestions | GrowingSuggestions | Promise<Suggestions>
  /** Called when a suggestion is taken. By default, it is inserted into the text. */
  readonly onTake?: (suggestion: Suggestion) => void
  readonly label?: string | undefined
  readonly placeholder?: string | undefined
  readonly isCode?: boolean
  /** If true, typing replaces the current text. */
  readonly selectsAll?: boolean
  /** Called on Enter if no suggestion is taken. */
  readonly onEnter?: (() => void) | undefined
  readonly onBlur?: () => void
}

interface Open {
  readonly text: string
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
  const input = useRef<HTMLInputElement>(null)
  const listId = useId()
  const list = useSuggestionList({ value, onChange, suggest, onTake }, input)
  const { open } = list
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
        onChange={list.onType}
        onFocus={(event) => (selectsAll ? event.target.select() : undefined)}
        onClick={(event) => {
          if (selectsAll && open === undefined) event.currentTarget.select()
          list.askHere()
        }}
        onKeyDown={(event) => onKey(event, list, onEnter)}
        onBlur={() => {
          list.leave()
          onBlur?.()
        }}
      />
      {open === undefined ? null : (
        <SuggestionList
          id={listId}
          items={open.suggestions.items}
          active={open.active}
          anchor={input}
          onTake={list.take}
        />
      )}
    </span>
  )
}

interface OpenList {
  readonly open: Open | undefined
  readonly setOpen: (open: Open | undefined) => void
  readonly onType: (event: ChangeEvent<HTMLInputElement>) => void
  readonly take: (suggestion: Suggestion | undefined) => void
  /** Closes the list, and removes a dot that nothing follows. */
  readonly leave: () => void
  readonly askHere: () => void
}

type Asking = Pick<ComboboxProps, "value" | "onChange" | "suggest"> & {
  readonly onTake: ComboboxProps["onTake"] | undefined
}

const nothingAsked = {
  /** True if the user pressed Enter before suggestions for the last input arrived. */
  takesFirst: false,
  /** True if the cached data had no match, although it may be incomplete. */
  foundNothing: false,
}

function useSuggestionList(
  { value, onChange, suggest, onTake }: Asking,
  input: RefObject<HTMLInputElement | null>,
): OpenList {
  const [open, setOpen] = useState<Open>()
  const asked = useRef({ ...nothingAsked })
  const dot = useOpenDot(useCaret(input))
  const close = (): void => {
    asked.current = { ...nothingAsked }
    setOpen(undefined)
  }
  const put = (text: string, suggestions: Suggestions, suggestion: Suggestion | undefined): void => {
    close()
    if (suggestion === undefined) return
    if (onTake !== undefined) return onTake(suggestion)
    const next = withSuggestion(text, suggestions, suggestion)
    dot.put(next, suggestion.goesOn === true)
    onChange(next.text)
    if (suggestion.goesOn === true) void ask(next.text, next.caret)
  }
  const ask = async (text: string, caret: number): Promise<void> => {
    const own = (asked.current = { ...asked.current })
    const show = (suggestions: Suggestions): void => {
      if (own !== asked.current) return
      const { items } = suggestions
      if (own.takesFirst && items.length > 0) return put(text, suggestions, items[0])
      setOpen((before) => openedWith(text, suggestions, before))
    }
    const answer = suggest(text, caret)
    own.foundNothing = isEmpty(answer)
    await showGrowing(answer, show)
    own.takesFirst = false
  }
  const caretNow = (): number => input.current?.selectionStart ?? value.length
  const askHere = (): void => void ask(value, caretNow())
  useEffect(() => {
    if (asked.current.foundNothing && !isEmpty(suggest(value, caretNow()))) askHere()
  })
  return {
    open,
    setOpen,
    leave: () => {
      close()
      dot.leave(value, onChange)
    },
    onType: ({ target }) => {
      asked.current.takesFirst = false
      const { text, caret } = dot.type(target)
      onChange(text)
      void ask(text, caret)
    },
    askHere,
    take: (suggestion) => {
      if (open === undefined) return
      if (open.text === value) put(value, open.suggestions, suggestion)
      else asked.current.takesFirst = true
    },
  }
}

/** Shows what is known now, and then all. */
async function showGrowing(
  answer: ReturnType<ComboboxProps["suggest"]>,
  show: (suggestions: Suggestions) => void,
): Promise<void> {
  if ("now" in answer && answer.now.items.length > 0) show(answer.now)
  const last = "now" in answer ? answer.later.catch(() => answer.now) : Promise.resolve(answer)
  show(await last.catch(() => noSuggestions))
}

const isEmpty = (answer: ReturnType<ComboboxProps["suggest"]>): boolean =>
  "items" in answer && answer.items.length === 0

function openedWith(text: string, suggestions: Suggestions, before: Open | undefined): Open | undefined {
  const { items } = suggestions
  if (items.length === 0) return undefined
  const active = before?.text === text ? activeIn(items, before.suggestions.items[before.active]) : 0
  return { text, suggestions, active }
}

interface Caret {
  readonly text: string
  readonly caret: number
}

/** The dot after a suggestion that goes on. It stays only if something follows it. */
function useOpenDot(placeCaret: (next: Caret) => void) {
  const last = useRef<Caret>(undefined)
  const end = (): Caret | undefined => {
    const { current } = last
    last.current = undefined
    return current
  }
  return {
    put: (next: Caret, goesOn: boolean): void => {
      placeCaret(next)
      last.current = goesOn ? next : undefined
    },
    /** Removes the dot if nothing follows it. */
    leave: (text: string, onChange: (text: string) => void): void => {
      const before = end()
      if (before?.text === text) onChange(withDot(before, ""))
    },
    /** Returns what the user means: the dot that is there isn't typed twice. */
    type: ({ value, selectionStart }: HTMLInputElement): Caret => {
      const before = end()
      if (before === undefined || value !== withDot(before, ".."))
        return { text: value, caret: selectionStart ?? value.length }
      placeCaret(before)
      return before
    },
  }
}

/** Replaces the dot before the caret. */
const withDot = ({ text, caret }: Caret, dot: string): string =>
  text.slice(0, caret - 1) + dot + text.slice(caret)

/** Sets the caret after the text is rendered, so that typing continues after the inserted suggestion. */
function useCaret(input: RefObject<HTMLInputElement | null>): (next: Caret) => void {
  const waiting = useRef<Caret>(undefined)
  useLayoutEffect(() => {
    const next = waiting.current
    if (next === undefined || input.current?.value !== next.text) return
    waiting.current = undefined
    input.current.setSelectionRange(next.caret, next.caret)
  })
  return (next) => (waiting.current = next)
}

function onKey(event: KeyboardEvent, list: OpenList, onEnter: (() => void) | undefined): void {
  if (!handleKey(event, list, onEnter)) return
  event.preventDefault()
  event.stopPropagation()
}

/** Returns whether the list handled the key. */
function handleKey(event: KeyboardEvent, list: OpenList, onEnter: (() => void) | undefined): boolean {
  const { open, setOpen, take, leave, askHere } = list
  const { key, nativeEvent, ctrlKey, metaKey, altKey } = event
  if (nativeEvent.isComposing) return false
  // What is saved or run has no open dot.
  if ((ctrlKey || metaKey) && (key === "Enter" || key.toLowerCase() === "s")) leave()
  // These keys belong to the page, even while the list is open: Ctrl-Enter runs the workflow.
  if (key === "Enter" && (ctrlKey || metaKey || altKey)) return false
  if (open === undefined) {
    if (key === "ArrowDown" || (key === " " && ctrlKey)) {
      askHere()
      return true
    }
    if (key === "Enter" && onEnter !== undefined) {
      onEnter()
      return true
    }
    return false
  }
  const { items } = open.suggestions
  const next = movedIndex(key, open.active, items.length)
  if (next !== undefined) setOpen({ ...open, active: next })
  else if (key === "Enter") take(items[open.active])
  else if (key === "Escape") leave()
  else return false
  return true
}

const rowHeight = 28
const MAX_ROWS = 10
const gap = 3

interface ListProps {
  readonly id: string
  readonly items: readonly Suggestion[]
  readonly active: number
  readonly anchor: RefObject<HTMLElement | null>
  readonly onTake: (suggestion: Suggestion) => void
}

function SuggestionList({ id, items, active, anchor, onTake }: ListProps) {
  const layer = useRef<HTMLDivElement>(null)
  const height = Math.min(items.length, MAX_ROWS) * rowHeight + 2
  useOverPage(layer, (shown) => place(shown, anchor.current, height))
  return (
    <div ref={layer} popover="manual" className="suggestions">
      <VirtualList
        id={id}
        role="listbox"
        aria-label="Suggestions"
        className="suggestion-list"
        style={{ height }}
        rows={items}
        rowHeight={rowHeight}
        activeIndex={active}
        render={(item, index) => (
          <div
            key={index}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            aria-posinset={index + 1}
            aria-setsize={items.length}
            className="suggestion"
            // Keep the focus in the field.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onTake(item)}
          >
            {item.method === undefined ? null : <MethodBadge method={item.method} />}
            <span className="suggestion-text">
              <ShownText text={item.text} />
            </span>
            {item.note === undefined ? null : (
              <span className="suggestion-note">
                <ShownText text={item.note} />
              </span>
            )}
          </div>
        )}
      />
    </div>
  )
}

function place(layer: HTMLElement, anchor: HTMLElement | null, height: number): void {
  if (anchor === null) return
  const { left, top, bottom, width } = anchor.getBoundingClientRect()
  const isAbove = bottom + gap + height > window.innerHeight && top > window.innerHeight - bottom
  const room = Math.min(Math.max(width, 460), window.innerWidth - 16)
  layer.style.width = `${room}px`
  layer.style.left = `${Math.max(8, Math.min(left, window.innerWidth - room - 8))}px`
  layer.style.top = `${isAbove ? top - gap - height : bottom + gap}px`
}
