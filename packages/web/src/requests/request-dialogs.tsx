// Dialogs that copy, rename and delete a saved request.

import { filePath, type ApiView, type ProjectView } from "@callsheet/server/calls"
import { useOpenFile } from "../files/open-files.ts"
import { DeleteDialog } from "./delete-dialog.tsx"
import { NameDialog } from "./name-dialog.tsx"
import { RenameDialog } from "./rename-dialog.tsx"
import { useRequestDialog } from "./request-items.ts"
import { createRequest, deleteRequest, requestFileName } from "./request-files.ts"
import { freeRequest, type RequestName } from "./request-names.ts"

export function RequestDialogs({ project }: { readonly project: ProjectView }) {
  const shown = useRequestDialog((state) => state.shown)
  const api = project.apis.find(({ name }) => name === shown?.api)
  if (shown === undefined || api === undefined) return null
  const { action, name } = shown
  const file = requestFileName(api.name, name)
  const props = { api, name, onClose: () => useRequestDialog.setState({ shown: undefined }) }
  if (action === "rename") return <RenameDialog {...props} />
  if (action === "duplicate") return <DuplicateDialog {...props} />
  return (
    <DeleteDialog
      file={file}
      path={filePath(file)}
      onDo={() => deleteRequest(api.name, name)}
      onClose={props.onClose}
    />
  )
}

interface DuplicateProps {
  readonly api: ApiView
  readonly name: RequestName
  readonly onClose: () => void
}

/** Copies unsaved changes too. */
function DuplicateDialog({ api, name, onClose }: DuplicateProps) {
  const file = useOpenFile(requestFileName(api.name, name))
  const siblings = api.requests.filter(({ resource }) => resource === name.resource)
  const taken = new Set(siblings.map((one) => one.name))
  if (file.state !== "ready") return null
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
