// Dialogs that copy, rename and delete a saved request.

import { filePath, type ApiView, type ProjectView, type NamedFile } from "@callsheet/server/calls"
import { useOpenFile } from "../files/open-files.ts"
import { NameDialog } from "../runs/save/name-dialog.tsx"
import { useRequestDialog } from "./request-items.ts"
import {
  createRequest,
  deleteRequest,
  requestFileName,
  planRequestName,
  requestWasRenamed,
} from "../forms/request/request-files.ts"
import { freeRequest, type RequestName, checkRequestName } from "../forms/request/request-names.ts"
import { useState } from "react"
import { TextField } from "../ui/form-fields.tsx"
import { PlanDialog } from "../files/plan-dialog.tsx"
import { visibleText } from "../ui/visible-text.ts"
import { FormDialog } from "../files/form-dialog.tsx"
import { useSubmit } from "../ui/use-submit.ts"
import { BlockUses } from "../files/block-uses.tsx"
import { ShownText } from "../ui/shown-text.tsx"

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

interface Props {
  readonly api: ApiView
  readonly name: RequestName
  readonly onClose: () => void
}

/** Previews the blocks that use the request. */
export function RenameDialog({ api, name, onClose }: Props) {
  const [to, setTo] = useState(name)
  const isSame = to.resource === name.resource && to.request === name.request
  const fault = isSame ? undefined : checkRequestName(to, api.requests)
  return (
    <PlanDialog
      title="Rename the saved request"
      verb="Rename"
      plan={fault === undefined ? () => planRequestName(api.name, name, to) : undefined}
      isHarmless
      done={`Renamed ${visibleText(name.request)} to ${visibleText(to.request)}`}
      onDone={() => requestWasRenamed(api.name, name, to)}
      onClose={onClose}
    >
      <TextField label="Resource" value={to.resource} onChange={(resource) => setTo({ ...to, resource })} />
      <TextField
        label="Name"
        isFirst
        value={to.request}
        onChange={(request) => setTo({ ...to, request })}
        fault={fault}
        note="This also updates the blocks that use it, in all workflows. You review each change first."
      />
    </PlanDialog>
  )
}

interface DeleteProps {
  readonly file: NamedFile
  readonly path: string
  readonly onDo: () => Promise<void>
  readonly onClose: () => void
}

/** Asks before the request is deleted. Enter cancels. */
export function DeleteDialog({ file, path, onDo, onClose }: DeleteProps) {
  const submit = useSubmit()
  const remove = async (): Promise<void> => {
    await onDo()
    onClose()
  }
  return (
    <FormDialog
      title="Delete the saved request?"
      submit={submit}
      does="Delete"
      isDanger
      onSubmit={() => submit.run(remove)}
      onClose={onClose}
    >
      <p>
        This deletes the file{" "}
        <code className="wrap">
          <ShownText text={path} />
        </code>{" "}
        and its unsaved changes.
      </p>
      <BlockUses file={file} />
    </FormDialog>
  )
}
