// Opens the preview of repairs, as `callsheet validate --fix` makes them.

import { useState } from "react"
import { later } from "../../ui/later.tsx"
import { LoadingDialog } from "../../ui/dialog.tsx"

const [RepairDialog] = later(async () => (await import("./repair-dialog.tsx")).RepairDialog, LoadingDialog)

interface Props {
  /** Limits the repairs to those that the change of its document asks for. */
  readonly api?: string
  readonly words: string
  readonly isPrimary?: boolean
}

export function RepairButton({ api, words, isPrimary = false }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className={isPrimary ? "button button-main" : "button"}
        onClick={() => setOpen(true)}
      >
        {words}
      </button>
      {isOpen ? <RepairDialog api={api} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
