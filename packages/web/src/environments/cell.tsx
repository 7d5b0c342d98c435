// A cell of the table: the value, and a note about its origin or problem.

import { memo, type ReactNode } from "react"
import type { CellView, EnvironmentColumn, VariableView } from "@callsheet/server/calls"
import { ShownText } from "../ui/shown-text.tsx"
import { visibleText } from "../ui/visible-text.ts"
import { useCellDraft, type CellDraft, type CellIntent } from "./cell-drafts.ts"
import { formatCellValue, typeWords } from "./value-text.ts"

export const cellId = (row: number, column: number): string => `env-cell-${row}-${column}`

interface Props {
  readonly api: string
  readonly variable: VariableView
  readonly environment: EnvironmentColumn
  readonly cell: CellView | undefined
  readonly row: number
  readonly column: number
  /** Pixels. */
  readonly left: number
  readonly width: number
  readonly isActive: boolean
  /** Shown instead of the value during editing. */
  readonly editor: ReactNode
}

export const Cell = memo(function Cell(props: Props) {
  const { api, variable, environment, cell, row, column, left, width, isActive, editor } = props
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
      className={`env-cell ${classOf(cell, draft)} ${isWrong ? "env-cell-wrong" : ""} ${environment.isBroken ? "env-cell-unread" : ""}`}
      style={{ left, width }}
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

function classOf(cell: CellView | undefined, draft: CellDraft | undefined): string {
  if (cell === undefined) return ""
  if (cell.isMissing || cell.isBroken === true) return "env-cell-missing"
  // Its note is a warning, which must be seen.
  const isPlain = draft === undefined && cell.isCommitted !== true
  return `env-cell-${cell.from} ${isPlain ? "env-cell-plain" : ""}`
}

interface WordsProps {
  readonly variable: VariableView
  readonly cell: CellView | undefined
  readonly draft: CellDraft | undefined
}

export function CellWords({ variable, cell, draft }: WordsProps) {
  if (draft !== undefined) return <DraftWords draft={draft} />
  return (
    <>
      <span className="env-value" title={titleOf(variable, cell)}>
        <Value variable={variable} cell={cell} />
      </span>
      <span className="env-note">
        <Note cell={cell} />
      </span>
    </>
  )
}

/** The full value, for a cell that is too narrow. */
function titleOf({ secret }: VariableView, cell: CellView | undefined): string | undefined {
  const text = formatCellValue(cell?.value)
  if (cell === undefined || secret || text === "") return undefined
  const where = whereOf(cell)
  return visibleText(text.slice(0, 1000)) + (where === "" ? "" : ` (${where})`)
}

function Value({ variable, cell }: Omit<WordsProps, "draft">) {
  if (cell === undefined) return null
  if (cell.isBroken === true) return <span className="env-bad">not a {typeWords[variable.type]}</span>
  if (cell.isNothing === true) return <span className="env-null">null</span>
  if (cell.from === "none") return cell.isMissing ? <Missing /> : <span className="env-none">—</span>
  if (variable.secret) return <Dots />
  if (cell.value === "") return <span className="env-null">&quot;&quot;</span>
  return <ShownText text={formatCellValue(cell.value)} />
}

const Missing = () => <span className="env-bad">missing</span>

/** Always the same length, which reveals nothing about the secret. */
const Dots = () => (
  <>
    <span aria-hidden="true" className="env-dots">
      ••••••
    </span>
    <span className="only-read">hidden secret</span>
  </>
)

function Note({ cell }: Pick<WordsProps, "cell">) {
  if (cell === undefined) return null
  if (cell.isMissing && cell.from === "none") return "required, no value"
  if (cell.isLeftOpen === true && cell.from === "none") return "set in children"
  const where = whereOf(cell)
  if (cell.isMissing)
    return (
      <span className="env-bad">
        required, but {cell.isNothing === true ? "null" : "empty"}
        {where === "" ? "" : `, ${where}`}
      </span>
    )
  if (cell.isCommitted === true)
    return <span className="env-warning">in a committed file{where === "" ? "" : `, ${where}`}</span>
  if (cell.from === "inherited")
    return (
      <>
        from <ShownText text={cell.environment ?? ""} />
      </>
    )
  if (cell.isNothing === true) return "no value"
  return cell.from === "own" && cell.value === "" ? "empty string" : where
}

function whereOf({ from, environment }: CellView): string {
  if (from === "inherited") return `from ${environment ?? ""}`
  return from === "default" ? "default" : ""
}

function DraftWords({ draft }: { readonly draft: CellDraft }) {
  const { intent, status, isConflict, fault } = draft
  return (
    <>
      <span className="env-value">
        <IntentWords intent={intent} />
      </span>
      <span className="env-note">
        {status === "saving" ? (
          "saving…"
        ) : (
          <span className="env-bad">
            not saved{isConflict === true ? ": changed elsewhere" : ""}
            {fault === undefined ? null : (
              <>
                : <ShownText text={fault.message} />
              </>
            )}
          </span>
        )}
      </span>
    </>
  )
}

export function IntentWords({ intent }: { readonly intent: CellIntent }) {
  if (intent.does === "empty") return <span className="env-null">null</span>
  if (intent.does === "reset") return <span className="env-none">reset</span>
  return intent.text === "" ? (
    <span className="env-null">&quot;&quot;</span>
  ) : (
    <ShownText text={intent.text} />
  )
}
