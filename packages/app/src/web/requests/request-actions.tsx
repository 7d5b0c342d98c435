// What can be done with a saved request as a whole.

import { useState } from "react"
import type { ApiView } from "../../api.ts"
import type { OpenFile } from "../editing/open-file.ts"
import { NameDialog } from "./name-dialog.tsx"
import { createRequest } from "./request-files.ts"
import { freeRequest, type RequestName } from "./request-names.ts"

interface Props {
  readonly api: ApiView
  readonly name: RequestName
  readonly file: OpenFile
}

export function RequestActions({ api, name, file }: Props) {
  const [isOpen, setOpen] = useState(false)
  if (file.state !== "ready") return null
  const taken = new Set(
    api.requests.filter(({ resource }) => resource === name.resource).map((one) => one.name),
  )
  return (
    <div className="view-actions">
      <button type="button" className="button" onClick={() => setOpen(true)}>
        Duplicate…
      </button>
      {isOpen ? (
        <NameDialog
          title="Duplicate the saved request"
          does="Duplicate"
          first={{ ...name, request: freeRequest(name.request, taken) }}
          taken={api.requests}
          onDo={(copy) => createRequest(api.name, copy, file.text)}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </div>
  )
}
