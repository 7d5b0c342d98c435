import { memo, type ReactNode } from "react"
import type { CellView, EnvironmentColumn, VariableView } from "@callsheet/server/calls"
import { useCellDraft } from "./cell-drafts.ts"
import { CellWords } from "./cell-words.tsx"
import { measures } from "./use-window.ts"

export const cellId = (row: number, column: number): string => `env-cell-${row}-${column}`

interface Props {
  readonly api: string
  readonly variable: VariableView
  readonly environment: EnvironmentColumn
  readonly cell: CellView | undefined
  readonly row: number
  readonly column: number
  readonly columnWidth: number
  readonly isActive: boolean
  /** Shown instead of the value during editing. */
  readonly editor: ReactNode
}

export const Cell = memo(function Cell(props: Props) {
  const { api, variable, environment, cell, row, column, columnWidth, isActive, editor } = props
  const draft = useCellDraft({ api, environment: environment.name, variable: variable.name })
  const isWrong = draft?.fault !== undefined || draft?.isConflict === true
  return (
    <div
      id={cellId(row, column)}
      role="gridcell"
      aria-colindex={column + 2}
      {...(environment.isBroken ? { "aria-readonly": true } : {})}
      {...(isWrong ? { "aria-invalid": true } : {})}
      {...(isWrong && isActive ? { "aria-describedby": "env-panel" } : {})}
      // During editing, the editor inside has the focus and receives clicks.
      tabIndex={isActive && editor === null ? 0 : -1}
      data-row={row}
      data-column={column}
      className={`env-cell ${classOf(cell)} ${isWrong ? "env-cell-wrong" : ""} ${environment.isBroken ? "env-cell-unread" : ""}`}
      style={{ left: measures.names + column * columnWidth, width: columnWidth }}
    >
      {editor ??
        (environment.isBroken ? (
          <span className="env-note">can't be read</span>
        ) : (
          <CellWords variable={variable} cell={cell} draft={draft} />
        ))}
      <span aria-hidden="true" className="env-dots-button" data-menu="" />
    </div>
  )
})

function classOf(cell: CellView | undefined): string {
  if (cell === undefined) return ""
  return cell.isMissing || cell.isBroken === true ? "env-cell-missing" : `env-cell-${cell.from}`
}
