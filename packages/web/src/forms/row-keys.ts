// The keys of a row of a table of fields, which has one tab stop: arrows move between its controls and to other rows.

import type { KeyboardEvent } from "react"

const selector = "input, textarea, select, button"

/** Left and right move within the row: in a text from its ends. Up and down move to the same control of another row. */
export function moveInRow(event: KeyboardEvent<HTMLElement>): void {
  const { key, ctrlKey, metaKey, altKey, shiftKey, currentTarget: row, target, defaultPrevented } = event
  if (defaultPrevented || ctrlKey || metaKey || altKey || shiftKey || event.nativeEvent.isComposing) return
  const next =
    key === "ArrowLeft" || key === "ArrowRight"
      ? beside(row, target, key === "ArrowLeft" ? -1 : 1)
      : key === "ArrowUp" || key === "ArrowDown"
        ? above(row, target, key === "ArrowUp" ? -1 : 1)
        : undefined
  if (next === undefined) return
  event.preventDefault()
  event.stopPropagation()
  next.focus()
}

const controlsOf = (row: Element): readonly HTMLElement[] => [...row.querySelectorAll<HTMLElement>(selector)]

const isText = (target: EventTarget): target is HTMLInputElement | HTMLTextAreaElement =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === "text")

function beside(row: Element, target: EventTarget, step: 1 | -1): HTMLElement | undefined {
  if (target instanceof HTMLSelectElement) return undefined
  if (isText(target)) {
    const { selectionStart, selectionEnd, value } = target
    const isAtEnd = selectionStart === selectionEnd && selectionStart === (step < 0 ? 0 : value.length)
    if (!isAtEnd) return undefined
  }
  const controls = controlsOf(row)
  return controls[controls.findIndex((control) => control === target) + step]
}

/** A text has its own meaning for these keys: suggestions, or lines. */
function above(row: Element, target: EventTarget, step: 1 | -1): HTMLElement | undefined {
  if (isText(target) || target instanceof HTMLSelectElement) return undefined
  const at = controlsOf(row).findIndex((control) => control === target)
  const other = step < 0 ? row.previousElementSibling : row.nextElementSibling
  return other === null ? undefined : controlsOf(other)[at]
}
