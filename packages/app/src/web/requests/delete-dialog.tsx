// Asks before a saved request is deleted: Cancel is what Enter does.

import type { NamedFile } from "../../api.ts"
import { Hindrance } from "../connection/fault-of.ts"
import { FormDialog } from "../parts/form-dialog.tsx"
import { useSubmit } from "../parts/use-submit.ts"
import { BlockUses } from "../plans/block-uses.tsx"
import { ShownText } from "../text/shown-text.tsx"

interface Props {
  readonly file: NamedFile
  /** From the root of the project. */
  readonly path: string
  /** Resolves to what stood in the way. */
  readonly onDo: () => Promise<string | undefined>
  readonly onClose: () => void
}

export function DeleteDialog({ file, path, onDo, onClose }: Props) {
  const submit = useSubmit()
  const remove = async (): Promise<void> => {
    const hindrance = await onDo()
    if (hindrance !== undefined) throw new Hindrance(hindrance)
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
        The file{" "}
        <code className="wrap">
          <ShownText text={path} />
        </code>{" "}
        is deleted, with what is not saved of it.
      </p>
      <BlockUses file={file} />
    </FormDialog>
  )
}
