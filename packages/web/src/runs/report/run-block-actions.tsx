// Buttons that run everything up to a block, or only the block.

import type { ReactNode } from "react"
import { runOnly, runTo } from "../state/starts.ts"

interface Props {
  readonly workflow: string
  /** The block's id in the file. */
  readonly block: string
  readonly children?: ReactNode
}

export function RunBlockActions({ workflow, block, children }: Props) {
  return (
    <span className="run-block-actions">
      {children}
      <button
        type="button"
        className="button"
        title="Run the workflow up to this block (Ctrl Shift Enter)"
        onClick={() => void runTo(workflow, block)}
      >
        Run to here
      </button>
      <button
        type="button"
        className="button"
        title="Run only this block, with the results of the last run (Alt Enter)"
        onClick={() => void runOnly(workflow, block)}
      >
        Run only this
      </button>
    </span>
  )
}
