// Asks before a script is deleted: Cancel is what Enter does.

import { useEffect, useRef } from "react"
import type { ScriptCallView } from "../../api.ts"
import { Dialog } from "../parts/dialog.tsx"
import { count } from "../text/count.ts"
import { ShownText } from "../text/shown-text.tsx"
import { deleteScript, type ScriptId } from "./script-files.ts"
import { useDialogAct } from "./use-dialog-act.ts"

interface Props {
  readonly id: ScriptId
  readonly calls: readonly ScriptCallView[]
  readonly onClose: () => void
}

export function DeleteScriptDialog({ id, calls, onClose }: Props) {
  const cancel = useRef<HTMLButtonElement>(null)
  useEffect(() => cancel.current?.focus(), [])
  const { fault, submit } = useDialogAct(onClose)
  return (
    <Dialog label="Delete the script?" className="dialog-confirm" onClose={onClose}>
      <div className="confirm">
        <h2>Delete the script?</h2>
        <p>
          <code className="wrap">
            <ShownText text={`${id.script}.ts`} />
          </code>{" "}
          is deleted, with what is not saved of it.{" "}
          {calls.length === 0
            ? "No block calls it."
            : `${count(calls.length, "block calls", "blocks call")} it, and cannot run without it.`}
        </p>
        <p role="alert" className="form-fault dialog-fault">
          {fault}
        </p>
        <div className="confirm-actions">
          <button ref={cancel} type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="button"
            className="button button-danger"
            onClick={() => submit(undefined, () => deleteScript(id))}
          >
            Delete
          </button>
        </div>
      </div>
    </Dialog>
  )
}
