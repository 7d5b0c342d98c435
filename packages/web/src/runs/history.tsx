// The stored runs of a workflow. Selecting one shows its report.

import { OutcomeMark, PartTag } from "./status-mark.tsx"
import type { RunSummary } from "@callsheet/server/calls"
import { ShownText } from "../ui/shown-text.tsx"
import { clock, duration } from "./durations.ts"

interface Props {
  readonly runs: readonly RunSummary[]
  readonly shown: string | undefined
  readonly onChoose: (run: string) => void
  /** Absent for suites, whose runs can't be compared. */
  readonly onCompare: ((run: string) => void) | undefined
}

export function History({ runs, shown, onChoose, onCompare }: Props) {
  return (
    <ul className="history">
      {runs.map(({ run, status, startedAt, durationMs, environments, isStopped, part }) => (
        <li key={run} className="history-line">
          <button
            type="button"
            className="history-run"
            aria-current={run === shown}
            onClick={() => onChoose(run)}
          >
            <OutcomeMark status={status} isStopped={isStopped === true} />
            <span>{clock(startedAt)}</span>
            <span className="run-times">{duration(durationMs)}</span>
            <span className="faint">
              <PartTag part={part} />{" "}
              <ShownText
                text={Object.entries(environments)
                  .map(([api, name]) => `${api}: ${name}`)
                  .join(", ")}
              />
            </span>
          </button>
          {shown === undefined || run === shown || onCompare === undefined ? null : (
            <button
              type="button"
              className="quiet-button history-compare"
              aria-label={`Compare the run of ${clock(startedAt)} with the one shown`}
              onClick={() => onCompare(run)}
            >
              Compare
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}
