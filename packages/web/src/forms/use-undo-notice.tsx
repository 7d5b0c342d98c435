// Describes the last edit that removed something, and offers to undo it.

import { useState, type ReactNode } from "react"
import { useForm } from "./form-context.tsx"

interface UndoNotice {
  /** Call this after the edit. Undefined means that it removed nothing. */
  readonly show: (words: string | undefined) => void
  readonly notice: ReactNode
}

export function useUndoNotice(): UndoNotice {
  const { now, undo } = useForm()
  const [removed, setRemoved] = useState<{ readonly words: string; readonly text: string }>()
  const isLast = removed !== undefined && now() === removed.text
  return {
    show: (words) => setRemoved(words === undefined ? undefined : { words, text: now() }),
    notice: !isLast ? null : (
      <p className="form-lost" role="status">
        {removed.words}{" "}
        <button
          type="button"
          className="quiet-button"
          onClick={() => {
            setRemoved(undefined)
            undo()
          }}
        >
          Undo
        </button>
      </p>
    ),
  }
}
