// The preview of a change of several files: a diff for every file, and notes.

import { useEffect, useRef } from "react"
import type { ChangePlan } from "@callsheet/server/calls"
import { TextDiff } from "../editing/text-diff.tsx"
import { count } from "../text/count.ts"
import { LongText } from "../text/long-text.tsx"
import { ShownText } from "../text/shown-text.tsx"
import { visibleText } from "../text/visible-text.ts"

export function PlanView({ plan, isUpdated }: { readonly plan: ChangePlan; readonly isUpdated: boolean }) {
  const view = useRef<HTMLDivElement>(null)
  // The button must not have the focus: a key that is still down would apply the change.
  useEffect(() => view.current?.focus(), [])
  return (
    <div ref={view} className="plan" role="group" aria-label="Changes" tabIndex={-1}>
      {isUpdated ? (
        <p role="alert" className="env-alarm">
          Files changed on disk, so nothing was written. These are the changes now.
        </p>
      ) : null}
      {plan.notes.length === 0 ? null : (
        <ul className="plan-notes" aria-label="Notes">
          {plan.notes.map((note) => (
            <li key={note}>
              <LongText text={note} />
            </li>
          ))}
        </ul>
      )}
      <p className="plan-count">{count(plan.fileCount, "file")} will change:</p>
      {plan.files.map(({ path, from, before, after }) => (
        <details key={path} open={plan.files.length <= 12} className="plan-file">
          <summary>
            {from === undefined ? null : (
              <>
                <ShownText text={from} /> <span className="plan-becomes">becomes</span>{" "}
              </>
            )}
            <ShownText text={path} />
            {before === null ? <span className="env-note"> new</span> : null}
          </summary>
          {before === after ? (
            <p className="plan-same">Its text does not change.</p>
          ) : (
            <TextDiff before={before ?? ""} after={after} label={`${visibleText(path)} before and after`} />
          )}
        </details>
      ))}
      <OmittedFiles plan={plan} />
    </div>
  )
}

/** Other files that change in the same way. They are too many or too large to show. */
function OmittedFiles({ plan: { files, fileCount, omitted } }: { readonly plan: ChangePlan }) {
  const rest = fileCount - files.length
  if (rest === 0) return null
  const unnamed = rest - omitted.length
  return (
    <details className="plan-file">
      <summary>{count(rest, "more file")} will change, not shown here</summary>
      <ul className="plan-names" aria-label="More files that will change" tabIndex={0}>
        {omitted.map((path) => (
          <li key={path}>
            <LongText text={path} />
          </li>
        ))}
        {unnamed === 0 ? null : <li>and {count(unnamed, "more file")}</li>}
      </ul>
    </details>
  )
}
