// Compares a failed run with the last one before it that passed.

import { showPart } from "../../routes/workflow-part.ts"
import { useShownRun } from "../state/shown-run.ts"
import { compareRuns } from "../state/starts.ts"

interface Props {
  readonly workflow: string
  /** The id in the report of the block to show first. */
  readonly block?: string
}

export function ComparePassing({ workflow, block }: Props) {
  const { kept = [], shown } = useShownRun(workflow)
  const passing = kept.find(
    ({ run, status, part }) =>
      status === "passed" && part === undefined && shown !== undefined && run < shown,
  )
  if (shown === undefined || passing === undefined) return null
  const compare = (): void => {
    compareRuns(workflow, { before: passing.run, after: shown, block })
    showPart(workflow, "runs")
    // Wait until it is rendered.
    requestAnimationFrame(() => document.querySelector("#run-comparison")?.scrollIntoView({ block: "start" }))
  }
  return (
    <button type="button" className="quiet-button" onClick={compare}>
      Compare with the last passing run
    </button>
  )
}
