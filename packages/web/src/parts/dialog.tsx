// A dialog over the page: the browser's own, which keeps the focus inside and closes with Escape.

import { useEffect, useRef, type ReactNode } from "react"

interface Props {
  readonly label: string
  readonly className: string
  readonly onClose: () => void
  /** A click beside it closes nothing: what was typed would go with it. */
  readonly isForm?: boolean
  readonly children: ReactNode
}

/** To the part with `data-first`: the browser itself would take what comes first of all. A name is selected, to be typed anew. */
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
