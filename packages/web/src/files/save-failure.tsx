// Explains why a file couldn't be read or saved, with the positions of problems.

import type { Problem } from "@callsheet/format"
import { visibleText } from "../ui/visible-text.ts"
import type { OpenFile } from "./open-file.ts"
import { showProblem } from "./shown-problem.ts"

/** The maximum number of positions to show here. The editor marks all of them. */
const MAX_SHOWN = 3

export function SaveFailure({ file: { name, failure, conflict } }: { readonly file: OpenFile }) {
  // The conflict is more helpful than the failed save that revealed it.
  if (failure === undefined || conflict !== undefined) return <div role="alert" className="save-failure" />
  const problems = failure.problems ?? []
  return (
    <div role="alert" className="save-failure">
      {problems.length === 0 ? (
        <span>
          {visibleText(failure.message)} {failure.hint === undefined ? "" : visibleText(failure.hint)}
        </span>
      ) : (
        <>
          <span>Not saved:</span>
          {problems.slice(0, MAX_SHOWN).map((problem) => (
            <button
              key={`${formatPosition(problem)} ${problem.message}`}
              type="button"
              className="quiet-button save-problem"
              onClick={() => showProblem(name, problem)}
            >
              {formatPosition(problem)} {visibleText(problem.message)}
            </button>
          ))}
          {problems.length > MAX_SHOWN ? <span>and {problems.length - MAX_SHOWN} more</span> : null}
        </>
      )}
    </div>
  )
}

const formatPosition = ({ line, column }: Problem): string =>
  line === undefined ? "" : `${line}:${column ?? 1}`
