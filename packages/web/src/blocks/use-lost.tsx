// Reports what a step removed and offers to undo it while it is the last step.

import { useState, type ReactNode } from "react"
import { useForm } from "./form-context.tsx"

interface Lost {
  /** Call right after the step; undefined if nothing was lost. */
  readonly tell: (words: string | undefined) => void
  readonly notice: ReactNode
}

export function useLost(): Lost {
  const { now, undo } = useForm()
  const [lost, setLost] = useState<{ readonly words: string; readonly text: string }>()
  const isLast = lost !== undefined && now() === lost.text
  return {
    tell: (words) => setLost(words === undefined ? undefined : { words, text: now() }),
    notice: !isLast ? null : (
      <p className="form-lost" role="status">
        {lost.words}{" "}
        <button
          type="button"
          className="quiet-button"
          onClick={() => {
            setLost(undefined)
            undo()
          }}
        >
          Undo
        </button>
      </p>
    ),
  }
}
