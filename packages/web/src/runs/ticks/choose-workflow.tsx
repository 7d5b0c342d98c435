// The dialog that chooses the workflow for a request.

import { useState } from "react"
import { useProject } from "../../connection/queries.ts"
import { useOpenFile } from "../../files/open-files.ts"
import { FormDialog } from "../../files/form-dialog.tsx"
import { ChoiceField } from "../../ui/form-fields.tsx"
import { useSubmit } from "../../ui/use-submit.ts"
import { visibleText } from "../../ui/visible-text.ts"
import { addToNewWorkflow, addToWorkflow, type Addition } from "./add-request.ts"

interface Props {
  readonly addition: Addition
  readonly onClose: () => void
}

/** The value of the first option. No workflow can have this name. */
const NEW = ""

export function ChooseWorkflow({ addition, onClose }: Props) {
  const submit = useSubmit()
  const workflows = useProject().data?.workflows ?? []
  const names = workflows.map(({ name }) => name)
  const [workflow, setWorkflow] = useState(workflows.find(({ blocks }) => blocks !== undefined)?.name ?? NEW)
  const isNew = workflow === NEW
  const add = async (): Promise<void> => {
    await (isNew ? addToNewWorkflow(addition, names) : addToWorkflow(addition, workflow))
    onClose()
  }
  return (
    <FormDialog
      title="Add to a workflow"
      submit={submit}
      does="Add"
      onSubmit={() => submit.run(add)}
      onClose={onClose}
    >
      <ChoiceField
        label="Workflow"
        isFirst
        options={[
          { value: NEW, label: "New workflow" },
          ...names.map((name) => ({ value: name, label: visibleText(name) })),
        ]}
        value={workflow}
        note={
          isNew
            ? "Saves a new workflow with a block that sends it."
            : "Adds a block that sends it after the selected one. Nothing is saved yet."
        }
        onChange={setWorkflow}
      />
      {isNew ? null : <OpenTarget workflow={workflow} />}
    </FormDialog>
  )
}

/** Reads the file of a workflow, so that it can be edited. */
export function OpenTarget({ workflow }: { readonly workflow: string }) {
  useOpenFile({ kind: "workflow", workflow })
  return null
}
