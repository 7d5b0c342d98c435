// Asks before a saved request is deleted. Enter cancels.

import type { NamedFile } from "@callsheet/server/calls"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useSubmit } from "../ui/use-submit.ts"
import { BlockUses } from "../files/block-uses.tsx"
import { ShownText } from "../ui/shown-text.tsx"

interface Props {
  readonly file: NamedFile
  readonly path: string
  readonly onDo: () => Promise<void>
  readonly onClose: () => void
}

export function DeleteDialog({ file, path, onDo, onClose }: Props) {
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
