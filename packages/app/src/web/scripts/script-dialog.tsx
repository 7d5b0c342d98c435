// A dialog that asks for something about a script, and stays with the reason where it cannot be.

import type { ReactNode } from "react"
import { Dialog } from "../parts/dialog.tsx"

interface Props {
  readonly title: string
  /** What its button says. */
  readonly does: string
  readonly fault: string | undefined
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

export function ScriptDialog({ title, does, fault, onSubmit, onClose, children }: Props) {
  return (
    <Dialog label={title} className="dialog-confirm dialog-name" isForm onClose={onClose}>
      <form
        className="confirm"
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        <h2>{title}</h2>
        {children}
        <p role="alert" className="form-fault dialog-fault">
          {fault}
        </p>
        <div className="confirm-actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button button-main">
            {does}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
