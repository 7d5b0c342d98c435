// The field of a cell. Enter saves, Tab saves and moves on, Escape cancels.

import { useLayoutEffect, useRef, type KeyboardEvent } from "react"
import type { VariableView } from "@callsheet/server/calls"
import { visibleText } from "../ui/visible-text.ts"

interface Props {
  readonly variable: VariableView
  readonly environment: string
  readonly text: string
  /** Selects the whole text, so that typing replaces it. */
  readonly selectsAll: boolean
  readonly isWrong: boolean
  readonly onType: (text: string) => void
  /** Returns true if editing ends. False if the text has the wrong type. */
  readonly onSave: (text: string, goes: "stay" | "right" | "left" | "away") => boolean
  readonly onTakeBack: () => void
}

export function CellEditor(props: Props) {
  const { variable, environment, text, selectsAll, isWrong, onType, onSave, onTakeBack } = props
  const field = useRef<HTMLTextAreaElement>(null)
  /** True after a save or a cancel. The blur that follows is then ignored. */
  const isDone = useRef(false)
  useLayoutEffect(() => {
    fit(field.current)
    field.current?.focus({ preventScroll: true })
    if (selectsAll) field.current?.select()
    else field.current?.setSelectionRange(text.length, text.length)
    // Run this only on mount.
  }, [])
  const save = (goes: "stay" | "right" | "left" | "away"): void => {
    if (isDone.current) return
    // Saving moves the focus, so the field gets a blur event.
    isDone.current = true
    isDone.current = onSave(field.current?.value ?? text, goes)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    const { key, shiftKey } = event
    if (key === "Escape") {
      isDone.current = true
      onTakeBack()
    } else if (key === "Enter" && !shiftKey) save("stay")
    else if (key === "Tab") save(shiftKey ? "left" : "right")
    else return
    event.preventDefault()
  }
  return (
    <textarea
      ref={field}
      className="env-editor"
      aria-label={`${visibleText(variable.name)} in ${visibleText(environment)}`}
      aria-invalid={isWrong}
      {...(isWrong ? { "aria-describedby": "env-panel" } : {})}
      rows={1}
      spellCheck={false}
      autoComplete="off"
      inputMode={variable.type === "number" ? "decimal" : "text"}
      defaultValue={text}
      onChange={(event) => {
        fit(event.target)
        onType(event.target.value)
      }}
      onKeyDown={onKeyDown}
      onBlur={() => {
        // Switching to another window must not save.
        if (document.hasFocus()) save("away")
      }}
    />
  )
}

const tallest = 200

function fit(field: HTMLTextAreaElement | null): void {
  if (field === null) return
  field.style.height = "auto"
  field.style.height = `${Math.min(field.scrollHeight + 4, tallest)}px`
}
