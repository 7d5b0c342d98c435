// A row of the outline: an icon or a method, the name, and marks.

import type { CSSProperties, MouseEvent } from "react"
import { Play } from "lucide-react"
import type { FileChange } from "@callsheet/server/calls"
import { LastMark } from "../../runs/marks/status-mark.tsx"
import type { Route } from "../../routes/route.ts"
import { openTab } from "../../routes/open-tabs.ts"
import { NameLabel, PathLabel, ShownText } from "../../ui/shown-text.tsx"
import { visibleText } from "../../ui/visible-text.ts"
import type { OutlineRow as Row } from "./outline.ts"
import { runOf } from "./row-items.ts"
import { EnvironmentName, MethodBadge } from "../../ui/badges.tsx"
import { treeItem, Fold } from "../../ui/tree-row.tsx"
import { RouteIcon } from "../../routes/route-link.tsx"

interface Props {
  readonly row: Row
  readonly id: string
  readonly isActive: boolean
  readonly isSelected: boolean
  readonly onOpen: (event: MouseEvent) => void
  readonly onToggle: () => void
  readonly onMenu: () => void
}

export function OutlineRow({ row, id, isActive, isSelected, onOpen, onToggle, onMenu }: Props) {
  return (
    <div
      id={id}
      {...treeItem(row, isSelected)}
      // Without a label, screen readers would read the parts of the path as separate words.
      aria-label={
        row.method === undefined ? undefined : visibleText(`${row.method} ${row.label}`).slice(0, 300)
      }
      className={`row row-${row.kind} ${isActive ? "row-active" : ""} ${row.isDeprecated === true || row.isGone === true ? "row-deprecated" : ""}`}
      style={{ "--depth": row.depth } as CSSProperties}
      onClick={onOpen}
      onDoubleClick={() => {
        if (row.route !== undefined) openTab(row.route)
      }}
      onContextMenu={(event) => {
        event.preventDefault()
        onMenu()
      }}
    >
      {row.isOpen === undefined ? null : <Fold isOpen={row.isOpen} onToggle={onToggle} />}
      {row.route === undefined || row.kind === "note" || row.route.kind === "environments" ? null : (
        <RowIcon row={row} route={row.route} />
      )}
      <span className={row.route?.kind === "operation" ? "row-label row-path" : "row-label"}>
        {row.route?.kind === "operation" ? (
          <PathLabel path={row.label} />
        ) : row.level !== undefined ? (
          <EnvironmentName name={row.label} level={row.level} />
        ) : row.kind === "note" ? (
          <ShownText text={row.label} />
        ) : (
          <NameLabel name={row.label} />
        )}
      </span>
      {row.isUnsaved === true ? <UnsavedMark isGone={row.isGone === true} /> : null}
      {row.change === undefined ? null : <ChangeMark change={row.change} />}
      {row.outcome === undefined ? null : (
        <LastMark outcome={row.outcome} isUnsaved={row.isUnsaved === true} />
      )}
      <RunButton run={runOf(row)} />
      {row.count === undefined ? null : <span className="row-count">{row.count.toLocaleString("en")}</span>}
    </div>
  )
}

/** An operation and a saved request have their method. Other places have an icon. */
const RowIcon = ({ row, route }: { readonly row: Row; readonly route: Route }) =>
  row.method === undefined ? <RouteIcon route={route} /> : <MethodBadge method={row.method} />

function ChangeMark({ change }: { readonly change: FileChange["change"] }) {
  const words = change === "new" ? "New since the last commit" : "Changed since the last commit"
  return (
    <span className={`row-change row-change-${change}`} title={words}>
      <span aria-hidden="true">{change === "new" ? "N" : "M"}</span>
      <span className="only-read">{change}</span>
    </span>
  )
}

/** Only for the mouse. The keyboard has the menu. */
function RunButton({ run }: { readonly run: (() => void) | undefined }) {
  if (run === undefined) return null
  return (
    <span
      aria-hidden="true"
      className="row-run"
      title="Run"
      onClick={(event) => {
        event.stopPropagation()
        run()
      }}
    >
      <Play />
    </span>
  )
}

function UnsavedMark({ isGone }: { readonly isGone: boolean }) {
  return (
    <span className="row-unsaved" title={isGone ? "Unsaved changes of a deleted file" : "Unsaved changes"}>
      <span className="only-read">{isGone ? "unsaved, deleted" : "unsaved"}</span>
    </span>
  )
}

/** Expands a row with the mouse. The keyboard has the arrow keys. */
