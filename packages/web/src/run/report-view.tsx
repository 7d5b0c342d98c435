// The report of a run: an outline of its blocks, and the details of the selected one.

import { useMemo, useState } from "react"
import { BlockDetail } from "./block-detail.tsx"
import type { ShownReport } from "./follow-run.ts"
import { ReportOutline } from "./report-outline.tsx"
import { firstFailure, reportRows, rowIndex, type ReportRow } from "./report-rows.ts"
import { selectBlock } from "./selected-block.ts"
import { writtenId } from "./written-id.ts"

interface Props {
  readonly workflow: string
  readonly written: readonly string[]
  readonly report: ShownReport
}

export function ReportView({ workflow, written, report }: Props) {
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [chosen, setChosen] = useState<string>()
  const rows = useMemo(() => reportRows(report, choices), [report, choices])
  const found = rowIndex(rows, chosen)
  const row = rows[found] ?? firstFailure(rows) ?? rows[0]
  const toggle = (id: string, isOpen: boolean): void => setChoices(new Map(choices).set(id, isOpen))
  return (
    <div className="report">
      <ReportOutline
        rows={rows}
        activeIndex={row === undefined ? -1 : rows.indexOf(row)}
        onSelect={(selected) => {
          setChosen(selected.id)
          const block = writtenOf(selected, written)
          if (block !== undefined) selectBlock({ workflow, block })
        }}
        onToggle={toggle}
      />
      <div className="report-detail">
        {row === undefined ? (
          <p className="faint report-empty">No runs yet.</p>
        ) : (
          <BlockDetail key={row.id} row={row} workflow={workflow} written={writtenOf(row, written)} />
        )}
      </div>
    </div>
  )
}

const writtenOf = ({ block }: ReportRow, written: readonly string[]): string | undefined =>
  block === undefined ? undefined : writtenId(block.id, written)
