// Actions on a whole saved request.

import { useState } from "react"
import type { ApiView } from "@callsheet/server/calls"
import type { OpenFile } from "../editing/open-file.ts"
import { MenuButton } from "../parts/menu-button.tsx"
import { DeleteDialog } from "./delete-dialog.tsx"
import { NameDialog } from "./name-dialog.tsx"
import { RenameDialog } from "./rename-dialog.tsx"
import { createRequest, deleteRequest, requestFileName } from "./request-files.ts"
import { freeRequest, type RequestName } from "./request-names.ts"

interface Props {
  readonly api: ApiView
  readonly name: RequestName
  readonly file: OpenFile
}

type RequestAction = "duplicate" | "rename" | "delete"

const actions: readonly (readonly [RequestAction, string])[] = [
  ["rename", "Rename…"],
  ["duplicate", "Duplicate…"],
  ["delete", "Delete…"],
]

export function RequestActions({ api, name, file }: Props) {
  const [action, setAction] = useState<RequestAction>()
  if (file.state !== "ready") return null
  const close = (): void => setAction(undefined)
  return (
    <>
      <MenuButton
        name={name.request}
        items={actions.map(([known, label]) => ({
          label,
          does: () => setAction(known),
          isDanger: known === "delete",
        }))}
      />
      {action === "delete" ? (
        <DeleteDialog
          file={requestFileName(api.name, name)}
          path={file.path}
          onDo={() => deleteRequest(api.name, name)}
          onClose={close}
        />
      ) : null}
      {action === "duplicate" ? <DuplicateDialog api={api} name={name} file={file} onClose={close} /> : null}
      {action === "rename" ? <RenameDialog api={api} name={name} onClose={close} /> : null}
    </>
  )
}

function DuplicateDialog({ api, name, file, onClose }: Props & { readonly onClose: () => void }) {
  const siblings = api.requests.filter(({ resource }) => resource === name.resource)
  const taken = new Set(siblings.map((one) => one.name))
  return (
    <NameDialog
      title="Duplicate the saved request"
      does="Duplicate"
      first={{ ...name, request: freeRequest(name.request, taken) }}
      taken={api.requests}
      onDo={(copy) => createRequest(api.name, copy, file.text)}
      onClose={onClose}
    />
  )
}
