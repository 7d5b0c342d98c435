// The content of a cell: the value, and a note about its origin or problem.

import type { CellView, VariableView } from "@callsheet/server/calls"
import { ShownText } from "../ui/shown-text.tsx"
import { visibleText } from "../ui/visible-text.ts"
import type { CellDraft, CellIntent } from "./cell-drafts.ts"
import { formatCellValue, typeWords } from "./value-text.ts"

interface Props {
  readonly variable: VariableView
  readonly cell: CellView | undefined
  readonly draft: CellDraft | undefined
}

export function CellWords({ variable, cell, draft }: Props) {
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
  return secret || text === "" ? undefined : visibleText(text.slice(0, 1000))
}

function Value({ variable, cell }: Omit<Props, "draft">) {
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

function Note({ cell }: Pick<Props, "cell">) {
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
