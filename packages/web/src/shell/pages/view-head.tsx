// The header of a view: kind, name and description.

import type { ReactNode } from "react"
import { LongText } from "../../ui/long-text.tsx"

interface Props {
  readonly what: ReactNode
  readonly name: string
  readonly badge?: ReactNode
  readonly actions?: ReactNode
  readonly description?: string | undefined
  /** True while the description is loading. Its line stays reserved. */
  readonly isReading?: boolean
  readonly isCode?: boolean
}

export function ViewHead(props: Props) {
  const { what, name, badge, actions, description, isReading = false, isCode = false } = props
  return (
    <header className="view-head">
      <p className="eyebrow">{what}</p>
      <div className="view-title">
        <h1 className={isCode ? "code-name" : ""}>
          <LongText text={name} /> {badge}
        </h1>
        {actions}
      </div>
      {isReading ? <p className="description">{"\u00a0"}</p> : null}
      {description === undefined || description === "" ? null : (
        <p className="description">
          <LongText text={description} />
        </p>
      )}
    </header>
  )
}
