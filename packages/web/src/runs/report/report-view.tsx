// The report of a run: its blocks or a timeline of its requests, and the details of the selected block.

import { ArrowDown, ArrowUp, ChartBar, CircleX } from "lucide-react"
import { useMemo, useState } from "react"
import { Toolbar } from "../../ui/toolbar.tsx"
import { usePageKeys } from "../../ui/use-page-keys.ts"
import { hashOfBlock } from "../../routes/route.ts"
import { showPart } from "../../routes/workflow-part.ts"
import { BlockDetail } from "./block-detail.tsx"
import type { ShownReport } from "../../connection/follow-run.ts"
import { ReportOutline } from "./report-outline.tsx"
import {
  firstFailure,
  idsAround,
  matchesOf,
  nextFailure,
  reportRows,
  rowIndex,
  type ReportFilter,
  type ReportRow,
} from "./report-rows.ts"
import { RequestTimeline } from "./request-timeline.tsx"
import { writtenId } from "@callsheet/language"
import { selectBlock } from "../state/use-run-keys.ts"

interface Props {
  readonly workflow: string
  readonly written: readonly string[]
  readonly report: ShownReport
}

export function ReportView({ workflow, written, report }: Props) {
  const [filter, setFilter] = useState<ReportFilter>({ text: "", isFailedOnly: false })
  const [isTimeline, setIsTimeline] = useState(false)
  const { rows, row, matches, choose, toggle } = useChosenRow(report, filter)
  const select = (id: string, block = rows[rowIndex(rows, id)]): void => {
    choose(id)
    const selected = block === undefined ? undefined : writtenOf(block, written)
    if (selected !== undefined) selectBlock({ workflow, block: selected })
  }
  const showFailure = (step: 1 | -1): void => {
    const id = nextFailure(report, row, step, matches)
    if (id !== undefined) select(id)
  }
  // F8 shows the next failure, Shift-F8 the one before.
  usePageKeys(({ key, ctrlKey, metaKey, altKey, shiftKey }) =>
    key !== "F8" || ctrlKey || metaKey || altKey ? undefined : () => showFailure(shiftKey ? -1 : 1),
  )
  return (
    <div className="report">
      <div className="report-list">
        <ReportTools
          filter={filter}
          onFilter={setFilter}
          isTimeline={isTimeline}
          onTimeline={setIsTimeline}
          onFailure={showFailure}
        />
        {isTimeline ? (
          <RequestTimeline report={report} matches={matches} chosen={row} onSelect={select} />
        ) : (
          <ReportOutline
            rows={rows}
            activeIndex={row === undefined ? -1 : rows.indexOf(row)}
            onSelect={(selected) => select(selected.id, selected)}
            onToggle={toggle}
          />
        )}
      </div>
      <div className="report-detail">
        {row === undefined ? (
          <p className="faint report-empty">
            {matches === undefined ? "No block has started." : "No block matches the filter."}
          </p>
        ) : (
          <BlockDetail
            key={row.id}
            row={row}
            workflow={workflow}
            written={writtenOf(row, written)}
            onGoToBlock={(block) => {
              showPart(workflow, "editor")
              window.location.hash = hashOfBlock(workflow, block)
            }}
          />
        )}
      </div>
    </div>
  )
}

/** The rows, and the one that is selected: by the user, or else the first failure. */
function useChosenRow(report: ShownReport, filter: ReportFilter) {
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [chosen, setChosen] = useState<string>()
  const matches = useMemo(() => matchesOf(report, filter), [report, filter])
  const rows = useMemo(() => reportRows(report, choices, matches), [report, choices, matches])
  return {
    rows,
    row: rows[rowIndex(rows, chosen)] ?? firstFailure(rows) ?? rows[0],
    matches,
    choose: (id: string): void => {
      setChosen(id)
      const closed = idsAround(id).filter((outer) => rows[rowIndex(rows, outer)]?.isOpen !== true)
      if (closed.length > 0)
        setChoices(new Map([...choices, ...closed.map((outer) => [outer, true] as const)]))
    },
    toggle: (id: string, isOpen: boolean): void => setChoices(new Map(choices).set(id, isOpen)),
  }
}

const writtenOf = ({ block }: ReportRow, written: readonly string[]): string | undefined =>
  block === undefined ? undefined : writtenId(block.id, written)

interface ToolsProps {
  readonly filter: ReportFilter
  readonly onFilter: (filter: ReportFilter) => void
  readonly isTimeline: boolean
  readonly onTimeline: (isTimeline: boolean) => void
  readonly onFailure: (step: 1 | -1) => void
}

function ReportTools({ filter, onFilter, isTimeline, onTimeline, onFailure }: ToolsProps) {
  return (
    <div className="report-tools" role="toolbar" aria-label="Report tools">
      <input
        type="search"
        className="report-filter"
        aria-label="Filter the report"
        placeholder="Filter"
        autoComplete="off"
        spellCheck={false}
        value={filter.text}
        onChange={({ target }) => onFilter({ ...filter, text: target.value })}
        onKeyDown={(event) => {
          if (event.key === "Escape") onFilter({ ...filter, text: "" })
        }}
      />
      <Toolbar
        of="the report"
        tools={[
          {
            label: "Failed only",
            icon: <CircleX aria-hidden="true" />,
            isPressed: filter.isFailedOnly,
            does: () => onFilter({ ...filter, isFailedOnly: !filter.isFailedOnly }),
          },
          {
            label: "Previous failure",
            title: "Previous failure (Shift F8)",
            icon: <ArrowUp aria-hidden="true" />,
            does: () => onFailure(-1),
          },
          {
            label: "Next failure",
            title: "Next failure (F8)",
            icon: <ArrowDown aria-hidden="true" />,
            does: () => onFailure(1),
          },
          {
            label: "Timeline",
            title: "Timeline of the requests",
            icon: <ChartBar aria-hidden="true" />,
            isPressed: isTimeline,
            does: () => onTimeline(!isTimeline),
          },
        ]}
      />
    </div>
  )
}
