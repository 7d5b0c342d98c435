// Shortcuts of a page, which work wherever the focus is, except in a dialog.

import { useEffect, useRef } from "react"

/** The listener returns what a key does. Undefined for keys that it doesn't handle. */
export function usePageKeys(listener: (event: KeyboardEvent) => (() => unknown) | undefined): void {
  const latest = useRef(listener)
  latest.current = listener
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const does = document.querySelector("dialog[open]") === null ? latest.current(event) : undefined
      if (does === undefined) return
      event.preventDefault()
      does()
    }
    window.addEventListener("keydown", onKeyDown)
    return () => window.removeEventListener("keydown", onKeyDown)
  }, [])
}
