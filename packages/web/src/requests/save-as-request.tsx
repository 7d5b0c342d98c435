// A button that creates a saved request.

import { useState } from "react"
import type { ApiView } from "@callsheet/server/calls"
import { NameDialog } from "./name-dialog.tsx"
import { createRequest } from "./request-files.ts"
import type { RequestName } from "./request-names.ts"

interface Props {
  readonly api: ApiView
  readonly words: string
  readonly first: RequestName
  readonly text: string
}

export function SaveAsRequest({ api, words, first, text }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {words}
      </button>
      {isOpen ? (
        <NameDialog
          title={words.replace("…", "")}
          does="Create"
          first={first}
          taken={api.requests}
          onDo={(name) => createRequest(api.name, name, text)}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  )
}
