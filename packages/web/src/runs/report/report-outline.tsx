// A report as a tree. Arrow keys move, expand and collapse.

import type { CSSProperties, KeyboardEvent } from "react"
import { pathAndQuery, type BlockReport } from "@callsheet/format"
import { movedRow } from "../../ui/list-keys.ts"
import { VirtualList } from "../../ui/virtual-list.tsx"
import { ShownText } from "../../ui/shown-text.tsx"
import type { ReportRow } from "./report-rows.ts"
import { HttpStatus, StatusMark } from "../marks/status-mark.tsx"
import { MethodBadge } from "../../ui/badges.tsx"
import { treeItem, Fold } from "../../ui/tree-row.tsx"
import { duration } from "../../ui/formats.ts"

const rowHeight = 24
const domId = (index: number): string => `report-${index}`

interface Props {
  readonly rows: readonly ReportRow[]
  readonly activeIndex: number
  readonly onSelect: (row: ReportRow) => void
  readonly onToggle: (id: string, isOpen: boolean) => void
}

export function ReportOutline({ rows, activeIndex, onSelect, onToggle }: Props) {
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[activeIndex]
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const toggles = togglesBy(event.key, row)
    const next = rows[toggles ? -1 : (movedRow(event.key, rows, activeIndex) ?? -1)]
    if (!toggles && next === undefined) return
    event.preventDefault()
    if (toggles) onToggle(row.id, row.isOpen !== true)
    else if (next !== undefined) onSelect(next)
  }
  return (
    <VirtualList
      className="report-outline"
      role="tree"
      aria-label="Report"
      tabIndex={0}
      aria-activedescendant={activeIndex < 0 ? undefined : domId(activeIndex)}
      onKeyDown={onKeyDown}
      rows={rows}
      rowHeight={rowHeight}
      activeIndex={activeIndex}
      render={(row, index) => (
        <OutlineRow
          key={row.id}
          row={row}
          index={index}
          isActive={index === activeIndex}
          onSelect={() => onSelect(row)}
          onToggle={() => onToggle(row.id, row.isOpen !== true)}
        />
      )}
    />
  )
}

interface RowProps {
  readonly row: ReportRow
  readonly index: number
  readonly isActive: boolean
  readonly onSelect: () => void
  readonly onToggle: () => void
}

function OutlineRow({ row, index, isActive, onSelect, onToggle }: RowProps) {
  const { depth, status, label, isOpen, block } = row
  return (
    <div
      id={domId(index)}
      {...treeItem(row, isActive)}
      className={`report-row report-row-${status} ${isActive ? "report-row-active" : ""}`}
      style={{ "--depth": depth } as CSSProperties}
      onClick={onSelect}
      onDoubleClick={isOpen === undefined ? undefined : onToggle}
    >
      <Fold isOpen={isOpen} onToggle={onToggle} />
      <StatusMark status={status} />
      <span className="report-label">
        {block === undefined ? <span className="faint">iteration </span> : null}
        <span className="report-name">
          <ShownText text={label} />
        </span>
      </span>
      <Detail row={row} />
      {block === undefined ? null : (
        <span className="report-time">
          {status === "running" || status === "skipped" ? "" : duration(block.durationMs)}
        </span>
      )}
    </div>
  )
}

/** The text beside a block's name, as in the terminal: its request and status, or its kind. */
function Detail({ row: { block } }: { readonly row: ReportRow }) {
  if (block === undefined) return null
  if (block.request === undefined) return <span className="report-kind">{kindOf(block)}</span>
  return <RequestLine block={block} />
}

/** The request of a block and the status of its response, which stays visible beside a long URL. */
export function RequestLine({ block: { request, response } }: { readonly block: BlockReport }) {
  if (request === undefined) return null
  return (
    <>
      <span className="report-request">
        <MethodBadge method={request.method} /> <ShownText text={pathAndQuery(request.url)} />
      </span>
      {response === undefined ? null : <HttpStatus status={response.status} />}
    </>
  )
}

function kindOf({ type, iterations }: BlockReport): string {
  return iterations === undefined ? type : `${type} × ${iterations.length.toLocaleString("en")}`
}

function togglesBy(key: string, { isOpen }: ReportRow): boolean {
  if (isOpen === undefined) return false
  if (key === "Enter" || key === " ") return true
  return key === (isOpen ? "ArrowLeft" : "ArrowRight")
}
