// The button that adds a request to a workflow without sending it.

import { ListPlus } from "lucide-react"
import { useState } from "react"
import { WordButton } from "../../ui/word-button.tsx"
import { ChooseWorkflow } from "../ticks/choose-workflow.tsx"
import type { AddedRequest } from "../ticks/add-request.ts"

export function AddToWorkflow({ added }: { readonly added: AddedRequest }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <WordButton
        word="Add to a workflow…"
        icon={<ListPlus aria-hidden="true" />}
        onClick={() => setOpen(true)}
      />
      {isOpen ? (
        <ChooseWorkflow addition={{ added, assertions: none }} onClose={() => setOpen(false)} />
      ) : null}
    </>
  )
}

const none: readonly [] = []
