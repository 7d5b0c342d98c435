// Offers to save before a run, which uses the files as they are saved.

import { useEffect, useRef, useState } from "react"
import type { FileName } from "../../api.ts"
import { fileKey } from "../editing/file-key.ts"
import { filePath } from "../editing/file-path.ts"
import { openFileNow, saveFile } from "../editing/open-files.ts"
import { Dialog } from "../parts/dialog.tsx"
import { LongText } from "../text/long-text.tsx"
import { ShownText } from "../text/shown-text.tsx"
import { ignoreHeldKeys } from "./ignore-held-keys.ts"
import type { SentKind } from "./questions.ts"

interface Props {
  readonly files: readonly FileName[]
  readonly what: SentKind
  readonly onCancel: () => void
  readonly onConfirm: (answer: string) => void
}

export function UnsavedDialog({ files, what, onCancel, onConfirm }: Props) {
  const save = useRef<HTMLButtonElement>(null)
  const [fault, setFault] = useState<string>()
  useEffect(() => save.current?.focus(), [])
  const saveAll = async (): Promise<void> => {
    for (const file of files) {
      if (await saveFile(file)) continue
      const { failure } = openFileNow(file)
      return setFault(`${filePath(file)} was not saved${failure === undefined ? "" : `: ${failure.message}`}`)
    }
    onConfirm("saved")
  }
  const title = what === "run" ? "Save before the run?" : "Save before sending?"
  return (
    <Dialog label={title} className="dialog-confirm" onClose={onCancel}>
      <div className="confirm" onKeyDown={ignoreHeldKeys}>
        <h2>{title}</h2>
        <p>
          {what === "run" ? "A run" : "It"} uses the files as they are saved.{" "}
          {files.length === 1 ? "This one has" : "These have"} unsaved changes:
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
        <p className="field-error" role="status">
          {fault === undefined ? null : <LongText text={fault} />}
        </p>
        <div className="confirm-actions">
          <button type="button" className="button" onClick={onCancel}>
            Cancel
          </button>
          <button type="button" className="button" onClick={() => onConfirm("as-saved-before")}>
            {what === "run" ? "Run as saved before" : "Send as saved before"}
          </button>
          <button ref={save} type="button" className="button button-main" onClick={() => void saveAll()}>
            {what === "run" ? "Save and run" : "Save and send"}
          </button>
        </div>
      </div>
    </Dialog>
  )
}
