// A key that is still held down from before a dialog opened answers nothing in it.

import type { KeyboardEvent } from "react"

export function ignoreHeldKeys(event: KeyboardEvent): void {
  if (event.key !== "Enter" || event.target instanceof HTMLTextAreaElement) return
  if (event.repeat || event.ctrlKey || event.metaKey) event.preventDefault()
}
