// Why a file could not be read or saved, in words, and the places that stand in the way.

import type { Problem } from "@callsheet/format"
import { visibleText } from "../text/visible-text.ts"
import type { OpenFile } from "./open-file.ts"
import { showProblem } from "./shown-problem.ts"

/** Places that the bar has room for; the editor marks all of them. */
const most = 3

export function SaveFailure({ file: { name, failure, conflict } }: { readonly file: OpenFile }) {
  // A conflict says more than the refusal that told of it.
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
          {problems.slice(0, most).map((problem) => (
            <button
              key={`${placeOf(problem)} ${problem.message}`}
              type="button"
              className="quiet-button save-problem"
              onClick={() => showProblem(name, problem)}
            >
              {placeOf(problem)} {visibleText(problem.message)}
            </button>
          ))}
          {problems.length > most ? <span>and {problems.length - most} more</span> : null}
        </>
      )}
    </div>
  )
}

const placeOf = ({ line, column }: Problem): string => (line === undefined ? "" : `${line}:${column ?? 1}`)
