// Asks before a saved request is deleted: Cancel is what Enter does.

import { useEffect, useRef, useState } from "react"
import { Dialog } from "../parts/dialog.tsx"
import { ShownText } from "../text/shown-text.tsx"

interface Props {
  /** From the root of the project. */
  readonly path: string
  /** Resolves to what stood in the way. */
  readonly onDo: () => Promise<string | undefined>
  readonly onClose: () => void
}

export function DeleteDialog({ path, onDo, onClose }: Props) {
  const cancel = useRef<HTMLButtonElement>(null)
  const [fault, setFault] = useState<string>()
  useEffect(() => cancel.current?.focus(), [])
  const remove = async (): Promise<void> => {
    const failure = await onDo()
    if (failure === undefined) onClose()
    else setFault(failure)
  }
  return (
    <Dialog label="Delete the saved request?" className="dialog-confirm" onClose={onClose}>
      <div className="confirm">
        <h2>Delete the saved request?</h2>
        <p>
          The file{" "}
          <code className="wrap">
            <ShownText text={path} />
          </code>{" "}
          is deleted, with what is not saved of it. Workflows that name it stay as they are.
        </p>
        <p role="alert" className="form-fault dialog-fault">
          {fault}
        </p>
        <div className="confirm-actions">
          <button ref={cancel} type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="button" className="button button-danger" onClick={() => void remove()}>
            Delete
          </button>
        </div>
      </div>
    </Dialog>
  )
}
