// A button that makes a saved request: of an operation, or an empty one of an API.

import { useState } from "react"
import type { JsonObject } from "@callsheet/format"
import type { ApiView } from "../../api.ts"
import { NameDialog } from "./name-dialog.tsx"
import { createRequest, newRequestText } from "./request-files.ts"
import { freeRequest, nameOfOperation } from "./request-names.ts"

interface Props {
  readonly api: ApiView
  readonly words: string
  readonly resource: string
  /** What it sends: fields of the file beside its version. */
  readonly content: JsonObject
  /** After which it is called at first. */
  readonly operation: string
}

export function SaveAsRequest({ api, words, resource, content, operation }: Props) {
  const [isOpen, setOpen] = useState(false)
  const taken = new Set(api.requests.filter((one) => one.resource === resource).map(({ name }) => name))
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {words}
      </button>
      {isOpen ? (
        <NameDialog
          title={words.replace("…", "")}
          does="Create"
          first={{ resource, request: freeRequest(nameOfOperation(operation), taken) }}
          taken={api.requests}
          onDo={(name) => createRequest(api.name, name, newRequestText(content))}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  )
}
