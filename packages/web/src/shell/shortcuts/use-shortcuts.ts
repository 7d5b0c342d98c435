// Shortcuts that work wherever the focus is.

import { useEffect } from "react"
import { searchBoxId } from "../explorer/sidebar.tsx"
import { showOverlay, useOverlay } from "../overlay-state.ts"

export function useShortcuts(): void {
  useEffect(() => {
    window.addEventListener("keydown", onKeyDown)
    return () => window.removeEventListener("keydown", onKeyDown)
  }, [])
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || !runShortcut(event)) return
  event.preventDefault()
}

function runShortcut(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey } = event
  const { shown } = useOverlay.getState()
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === "k") {
    showOverlay(shown === "palette" ? undefined : "palette")
    return true
  }
  if (ctrlKey || metaKey || altKey || shown !== undefined) return false
  if (key === "F6") return focusNextPart(event.shiftKey ? -1 : 1)
  if (isTyping(event)) return false
  if (key === "?") showOverlay("shortcuts")
  else if (key === "/") focusSearch()
  else return false
  return true
}

function focusSearch(): void {
  const box = document.querySelector<HTMLInputElement>(`#${searchBoxId}`)
  box?.focus()
  box?.select()
  // A narrow window shows the sidebar on demand.
  if (box === null) showOverlay("sidebar")
}

/** Moves the focus between the parts of the page with `data-part`. The main part is one if it has none inside. */
function focusNextPart(step: 1 | -1): boolean {
  const parts = [
    ...document.querySelectorAll<HTMLElement>("[data-part], #main:not(:has([data-part]))"),
  ].filter((part) => part.checkVisibility())
  const current = parts.findLastIndex((part) => part.contains(document.activeElement))
  const from = current === -1 && step === -1 ? 0 : current
  parts.at((from + step) % parts.length)?.focus()
  return true
}

/** Returns whether the user types the key into a text. Includes the code editor in its shadow root. */
function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath()
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLElement && target.isContentEditable)
  )
}
