// The first line of a page that fills its pane: where the file is, its name, and actions.

import { Fragment, type ReactNode } from "react"
import { LongText } from "./shown-text.tsx"

interface Props {
  /** The parents of the file, outermost first. */
  readonly parents: readonly ReactNode[]
  readonly name: string
  readonly badge?: ReactNode
  /** What there is to know about the last run. It is cut to the room that is left. */
  readonly status?: ReactNode
  readonly children?: ReactNode
}

export function BenchHead({ parents, name, badge, status, children }: Props) {
  return (
    <header className="bench-head">
      {parents.map((parent, index) => (
        <Fragment key={index}>
          <span className="bench-parent">{parent}</span>
          <span aria-hidden="true" className="bench-slash">
            /
          </span>
        </Fragment>
      ))}
      <h1>
        <LongText text={name} /> {badge}
      </h1>
      {status === undefined ? null : <div className="bench-status">{status}</div>}
      <div className="bench-actions">{children}</div>
    </header>
  )
}
