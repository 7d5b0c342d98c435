// The button that adds a request to a workflow without sending it.

import { useState } from "react"
import { ChooseWorkflow } from "../ticks/choose-workflow.tsx"
import type { AddedRequest } from "../ticks/add-request.ts"

export function AddToWorkflow({ added }: { readonly added: AddedRequest }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        Add to a workflow…
      </button>
      {isOpen ? (
        <ChooseWorkflow addition={{ added, assertions: none }} onClose={() => setOpen(false)} />
      ) : null}
    </>
  )
}

const none: readonly [] = []
