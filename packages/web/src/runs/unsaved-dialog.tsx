// Offers to save files before a run, because a run uses the files on disk.

import { filePath, type FileName } from "@callsheet/server/calls"
import { UserError } from "../connection/fault-of.ts"
import { fileKey } from "../files/file-key.ts"
import { openFileNow, saveFile } from "../files/open-files.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useSubmit } from "../ui/use-submit.ts"
import { ShownText } from "../ui/shown-text.tsx"
import type { QuestionProps } from "./questions.ts"

export function UnsavedDialog({
  question: files,
  what,
  onCancel,
  onConfirm,
}: QuestionProps<readonly FileName[]>) {
  const submit = useSubmit()
  const isRun = what === "run"
  const saveAll = async (): Promise<void> => {
    for (const file of files) {
      if (await saveFile(file)) continue
      const { failure } = openFileNow(file)
      throw new UserError(
        `${filePath(file)} was not saved${failure === undefined ? "" : `: ${failure.message}`}`,
      )
    }
    onConfirm("saved")
  }
  return (
    <FormDialog
      title={isRun ? "Save before the run?" : "Save before sending?"}
      submit={submit}
      does={isRun ? "Save and run" : "Save and send"}
      isMainFirst
      onSubmit={() => submit.run(saveAll)}
      onClose={onCancel}
      actions={
        <button type="button" className="button" onClick={() => onConfirm("as-saved-before")}>
          {isRun ? "Run without saving" : "Send without saving"}
        </button>
      }
    >
      <p>
        {isRun ? "A run uses" : "callsheet sends"} only what is saved.{" "}
        {files.length === 1 ? "This file has" : "These files have"} unsaved changes:
      </p>
      <ul className="confirm-scripts">
        {files.map((file) => (
          <li key={fileKey(file)}>
            <code>
              <ShownText text={filePath(file)} />
            </code>
          </li>
        ))}
      </ul>
    </FormDialog>
  )
}
