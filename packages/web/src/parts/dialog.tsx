// A modal dialog. The native element keeps the focus inside and closes on Escape.

import { useEffect, useRef, type ReactNode } from "react"

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

export function Dialog({ label, className, onClose, isForm = false, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const shown = dialog.current
    if (shown?.open === false) {
      shown.showModal()
      takeFocus(shown)
    }
    return () => shown?.close()
  }, [])
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
