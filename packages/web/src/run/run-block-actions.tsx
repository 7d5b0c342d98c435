// Buttons that run everything up to a block, or only the block.

import { runOnly, runTo } from "./starts.ts"

interface Props {
  readonly workflow: string
  /** The block's id in the file. */
  readonly block: string
}

export function RunBlockActions({ workflow, block }: Props) {
  return (
    <span className="run-block-actions">
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
