// Asks for the resource and the name when a saved request is created, copied or renamed.

import { BookmarkPlus } from "lucide-react"
import { useState, type ReactNode } from "react"
import type { SavedRequestView, ApiView } from "@callsheet/server/calls"
import { UserError } from "../../connection/fault-of.ts"
import { FormDialog } from "../../files/form-dialog.tsx"
import { TextField } from "../../ui/form-fields.tsx"
import { WordButton } from "../../ui/word-button.tsx"
import { useSubmit } from "../../ui/use-submit.ts"
import { checkRequestName, type RequestName } from "../../forms/request/request-names.ts"
import { createRequest } from "../../forms/request/request-files.ts"

interface Props {
  readonly title: string
  readonly does: string
  readonly first: RequestName
  readonly taken: readonly SavedRequestView[]
  readonly note?: ReactNode
  readonly children?: ReactNode
  readonly onDo: (name: RequestName) => Promise<void>
  readonly onClose: () => void
}

export function NameDialog({ title, does, first, taken, note, children, onDo, onClose }: Props) {
  const [name, setName] = useState(first)
  const submit = useSubmit()
  const submitName = async (): Promise<void> => {
    const finding = checkRequestName(name, taken)
    if (finding !== undefined) throw new UserError(finding)
    await onDo(name)
    onClose()
  }
  return (
    <FormDialog
      title={title}
      submit={submit}
      does={does}
      onSubmit={() => submit.run(submitName)}
      onClose={onClose}
    >
      {children}
      <TextField
        label="Resource"
        value={name.resource}
        onChange={(resource) => setName({ ...name, resource })}
      />
      <TextField
        label="Name"
        isFirst
        value={name.request}
        onChange={(request) => setName({ ...name, request })}
      />
      {note === undefined ? null : <div className="field-note">{note}</div>}
    </FormDialog>
  )
}

interface SaveAsRequestProps {
  readonly api: ApiView
  readonly words: string
  readonly first: RequestName
  readonly text: string
}

/** A button that creates a saved request. */
export function SaveAsRequest({ api, words, first, text }: SaveAsRequestProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <WordButton word={words} icon={<BookmarkPlus aria-hidden="true" />} onClick={() => setOpen(true)} />
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
