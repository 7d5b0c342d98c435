// A row of the outline: an icon or a method, the name, and marks.

import type { CSSProperties } from "react"
import { Bookmark, Box, Layers, ListChecks, Settings, Workflow, type LucideIcon } from "lucide-react"
import { LevelBadge } from "../parts/level-badge.tsx"
import { MethodBadge } from "../parts/method-badge.tsx"
import { PathLabel } from "../parts/path-label.tsx"
import type { Route } from "../routes/route.ts"
import { StatusMark } from "../run/status-mark.tsx"
import { ShownText } from "../text/shown-text.tsx"
import { visibleText } from "../text/visible-text.ts"
import type { OutlineRow as Row } from "./outline.ts"

interface Props {
  readonly row: Row
  readonly id: string
  readonly isActive: boolean
  readonly isSelected: boolean
  readonly onOpen: () => void
  readonly onToggle: () => void
}

export function OutlineRow({ row, id, isActive, isSelected, onOpen, onToggle }: Props) {
  return (
    <div
      id={id}
      role="treeitem"
      aria-level={row.depth}
      aria-posinset={row.position + 1}
      aria-setsize={row.siblings}
      aria-selected={isSelected}
      // Without a label, screen readers would read the parts of the path as separate words.
      aria-label={
        row.method === undefined ? undefined : visibleText(`${row.method} ${row.label}`).slice(0, 300)
      }
      aria-expanded={row.isOpen}
      className={`row row-${row.kind} ${isActive ? "row-active" : ""} ${row.isDeprecated === true || row.isGone === true ? "row-deprecated" : ""}`}
      style={{ "--depth": row.depth } as CSSProperties}
      onClick={onOpen}
    >
      <Chevron isOpen={row.isOpen} onToggle={onToggle} />
      {row.method === undefined ? <RowIcon row={row} /> : <MethodBadge method={row.method} />}
      <span className="row-label">
        {row.method === undefined ? <ShownText text={row.label} /> : <PathLabel path={row.label} />}
      </span>
      {row.isUnsaved === true ? <UnsavedMark isGone={row.isGone === true} /> : null}
      {row.outcome === undefined ? null : <StatusMark status={row.outcome} />}
      {row.level === undefined ? null : <LevelBadge level={row.level} />}
      {row.count === undefined ? null : <span className="row-count">{row.count.toLocaleString("en")}</span>}
    </div>
  )
}

const icons: { readonly [K in Route["kind"]]?: LucideIcon } = {
  workflow: Workflow,
  suite: ListChecks,
  settings: Settings,
  api: Box,
  environment: Layers,
  environments: Layers,
  request: Bookmark,
}

function RowIcon({ row: { route, kind } }: { readonly row: Row }) {
  const Icon = route === undefined || kind === "note" ? undefined : icons[route.kind]
  return Icon === undefined ? null : <Icon aria-hidden="true" className="row-icon" />
}

function UnsavedMark({ isGone }: { readonly isGone: boolean }) {
  return (
    <span className="row-unsaved" title={isGone ? "Unsaved changes of a deleted file" : "Unsaved changes"}>
      <span className="only-read">{isGone ? "unsaved, deleted" : "unsaved"}</span>
    </span>
  )
}

/** Expands a row with the mouse. The keyboard has the arrow keys. */
function Chevron({
  isOpen,
  onToggle,
}: {
  readonly isOpen: boolean | undefined
  readonly onToggle: () => void
}) {
  if (isOpen === undefined) return null
  return (
    <span
      aria-hidden="true"
      className={`chevron ${isOpen ? "chevron-open" : ""}`}
      onClick={(event) => {
        event.stopPropagation()
        onToggle()
      }}
    />
  )
}
