// A modal dialog. The native element keeps the focus inside and closes on Escape.

import { useEffect, useLayoutEffect, useRef, type ReactNode } from "react"
import { flushSync } from "react-dom"

interface Props {
  readonly label: string
  readonly className: string
  readonly onClose: () => void
  /** If true, a click outside doesn't close the dialog, because the input would be lost. */
  readonly isForm?: boolean
  readonly children: ReactNode
}

/**
 * Focuses the element with `data-first`. By default, the browser would focus the first one. Selects a name, so that
 * typing replaces it.
 */
function takeFocus(dialog: HTMLDialogElement): void {
  const first = dialog.querySelector<HTMLElement>("[data-first]")
  first?.focus()
  if (first instanceof HTMLInputElement) first.select()
}

/** The element that had the focus before may be gone. Then the keys of the main part go on. */
function keepFocusInPage(): void {
  if (document.activeElement === document.body) document.querySelector<HTMLElement>("#main")?.focus()
}

export function Dialog({ label, className, onClose, isForm = false, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  // Before the element is removed, because only a dialog in the page returns the focus to where it was.
  useLayoutEffect(() => {
    const shown = dialog.current
    if (shown?.open === false) {
      shown.showModal()
      takeFocus(shown)
    }
    return () => {
      shown?.close()
      queueMicrotask(keepFocusInPage)
    }
  }, [])
  useRouteLeft(() => closeForMain(onClose))
  return (
    <dialog
      ref={dialog}
      className={`dialog ${className}`}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === dialog.current && !isForm) onClose()
      }}
    >
      <div className="dialog-body">{children}</div>
    </dialog>
  )
}

/** Closes a dialog because the user goes to another page. The focus goes there, and not back. */
export function closeForMain(close: () => void): void {
  flushSync(close)
  document.querySelector<HTMLElement>("#main")?.focus()
}

/** Stands for a dialog whose code is loading. It closes as the dialog would. */
export function LoadingDialog({ onClose }: Pick<Props, "onClose">) {
  useRouteLeft(onClose)
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === "Escape") onClose()
    }
    window.addEventListener("keydown", onKey)
    return () => window.removeEventListener("keydown", onKey)
  }, [onClose])
  return null
}

/** Calls back after the address has changed, because the dialog belongs to the page behind it. */
function useRouteLeft(onLeave: () => void): void {
  const latest = useRef(onLeave)
  latest.current = onLeave
  useEffect(() => {
    // The event of an earlier change may arrive late.
    const { hash } = window.location
    const onChange = (): void => {
      if (window.location.hash !== hash) latest.current()
    }
    window.addEventListener("hashchange", onChange)
    return () => window.removeEventListener("hashchange", onChange)
  }, [])
}
