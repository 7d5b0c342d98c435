// The outline as a tree. Arrow keys move, expand and collapse. Enter opens the active row.

import { useEffect, useState, useMemo, type KeyboardEvent } from "react"
import type { ProjectView } from "@callsheet/server/calls"
import { useOperations } from "../data/use-operations.ts"
import { useUnsavedRoutes } from "../editing/use-unsaved-files.ts"
import { showImport } from "../imports/import-state.ts"
import { movedRow } from "../parts/list-keys.ts"
import { Menu, type MenuItem } from "../parts/menu.tsx"
import { VirtualList } from "../parts/virtual-list.tsx"
import { hashOf } from "../routes/route.ts"
import { goTo, useRoute } from "../routes/use-route.ts"
import { useOutcomes } from "../run/use-outcomes.ts"
import { openTab } from "../tabs/open-tabs.ts"
import { visibleText } from "../text/visible-text.ts"
import { showWorkflowDialog } from "../workflow/workflow-dialog-state.ts"
import { useOpenRows } from "./open-rows.ts"
import { useChanges } from "./use-changes.ts"
import { OutlineRow } from "./outline-row.tsx"
import {
  outlineRows,
  showsOperations,
  apiRowId,
  environmentsRowId,
  operationsRowId,
  resourceRowId,
  workflowGroupId,
  type OutlineRow as Row,
} from "./outline.ts"
import { rowItems } from "./row-items.ts"

const rowHeight = 28

const domId = (index: number): string => `outline-${index}`

export function OutlineTree({ project }: { readonly project: ProjectView }) {
  const rows = useOutline(project)
  const { selected, found, setActiveId } = useActiveRow(rows)
  const activeIndex = Math.max(0, found)
  const choose = useOpenRows((state) => state.choose)
  useReveal(project)
  const [menu, setMenu] = useState<string>()
  const showMenu = (row: Row): void => {
    setActiveId(row.id)
    setMenu(row.id)
  }
  const open = (row: Row, isLasting = false): void => {
    setActiveId(row.id)
    if (row.route !== undefined) (isLasting ? openTab : goTo)(row.route)
    if (row.does === "new-workflow") showWorkflowDialog({ kind: "new" })
    else if (row.does !== undefined) showImport(row.does)
    if (row.isOpen !== undefined) choose(row.id, row.route === undefined ? !row.isOpen : true)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    // The page handles Alt with an arrow (history) and Ctrl-Enter (run).
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const target = keyTarget(event, rows, activeIndex)
    if (target === undefined) return
    event.preventDefault()
    if (target.does === "open") open(target.row)
    else if (target.does === "menu") showMenu(target.row)
    else if (target.does === "item") keyItem(event.key, rowItems(target.row, project))?.does()
    else if (target.does === "toggle") choose(target.row.id, target.row.isOpen !== true)
    else setActiveId(target.row.id)
  }
  return (
    <>
      <VirtualList
        id="outline"
        className="outline"
        role="tree"
        aria-label="Project"
        tabIndex={0}
        aria-activedescendant={domId(activeIndex)}
        onKeyDown={onKeyDown}
        rows={rows}
        rowHeight={rowHeight}
        activeIndex={found}
        render={(row, index) => (
          <OutlineRow
            key={row.id}
            id={domId(index)}
            row={row}
            isActive={index === activeIndex}
            isSelected={row.id === selected}
            onOpen={(event) => open(row, event.ctrlKey || event.metaKey)}
            onMenu={() => showMenu(row)}
            onToggle={() => choose(row.id, row.isOpen !== true)}
          />
        )}
      />
      <RowMenu project={project} rows={rows} id={menu} onClose={() => setMenu(undefined)} />
    </>
  )
}

/** Returns the row of the current route, and the index of the active row. */
function useActiveRow(rows: readonly Row[]) {
  const route = useRoute()
  // A script has no row, so select its workflow.
  const selected = hashOf(route.kind === "script" ? { kind: "workflow", workflow: route.workflow } : route)
  const [activeId, setActiveId] = useState<string>()
  useEffect(() => setActiveId(selected), [selected])
  return { selected, found: rows.findIndex(({ id }) => id === activeId), setActiveId }
}

interface MenuProps {
  readonly project: ProjectView
  readonly rows: readonly Row[]
  /** The row whose menu is open. */
  readonly id: string | undefined
  readonly onClose: () => void
}

function RowMenu({ project, rows, id, onClose }: MenuProps) {
  const index = rows.findIndex((row) => row.id === id)
  const row = rows[index]
  const items = row === undefined ? [] : rowItems(row, project)
  if (row === undefined || items.length === 0) return null
  return (
    <Menu
      key={id}
      label={`Actions for ${visibleText(row.label)}`}
      items={items}
      anchor={() => document.querySelector(`#${domId(index)}`)}
      onClose={(goesBack) => {
        onClose()
        if (goesBack) document.querySelector<HTMLElement>("#outline")?.focus()
      }}
    />
  )
}

const keyItem = (key: string, items: readonly MenuItem[]): MenuItem | undefined =>
  items.find((item) => item.key === (key === "Delete" ? "Del" : key))

interface KeyTarget {
  readonly row: Row
  readonly does: "move" | "open" | "toggle" | "menu" | "item"
}

function keyTarget(
  { key, shiftKey }: KeyboardEvent,
  rows: readonly Row[],
  index: number,
): KeyTarget | undefined {
  const row = rows[index]
  if (row === undefined) return undefined
  if (key === "ContextMenu" || (key === "F10" && shiftKey)) return { row, does: "menu" }
  if (key === "F2" || key === "Delete") return { row, does: "item" }
  if (key === "Enter" || key === " ") return { row, does: "open" }
  if (key === "ArrowRight" && row.isOpen === false) return { row, does: "toggle" }
  if (key === "ArrowLeft" && row.isOpen === true) return { row, does: "toggle" }
  const next = rows[movedRow(key, rows, index) ?? -1]
  return next === undefined ? undefined : { row: next, does: "move" }
}

/** Returns the rows of the outline. Loads the operations that they show. */
function useOutline(project: ProjectView): readonly Row[] {
  const chosen = useOpenRows((state) => state.chosen)
  const shown = useMemo(() => {
    const source = { project, chosen }
    return project.apis
      .filter(({ name, document }) => document !== undefined && showsOperations(source, name))
      .map(({ name }) => name)
  }, [project, chosen])
  const read = useOperations(shown)
  const outcomes = useOutcomes()
  const unsaved = useUnsavedRoutes()
  const changes = useChanges(project)
  return useMemo(
    () =>
      outlineRows({
        project,
        chosen,
        outcomes,
        unsaved,
        changes,
        operations: new Map(read.map((operations) => [operations.api, operations])),
      }),
    [project, chosen, read, outcomes, unsaved, changes],
  )
}

/** Expands the parents of the current route after a search, a link or a reload. */
function useReveal({ apis }: ProjectView): void {
  const route = useRoute()
  const choose = useOpenRows((state) => state.choose)
  const api = "api" in route && apis.some(({ name }) => name === route.api) ? route.api : undefined
  const [operations] = useOperations(route.kind === "operation" && api !== undefined ? [api] : [])
  const resource =
    route.kind === "operation"
      ? operations?.view?.operations.find(
          ({ method, path }) => method === route.method && path === route.path,
        )?.resources[0]
      : undefined
  useEffect(() => {
    if (route.kind === "workflow" || route.kind === "script") choose(workflowGroupId(route.workflow), true)
    if (api === undefined) return
    choose(apiRowId(api), true)
    if (route.kind.startsWith("environment")) choose(environmentsRowId(api), true)
    if (route.kind === "request") choose(`${api}/requests`, true)
    if (resource === undefined) return
    choose(operationsRowId(api), true)
    choose(resourceRowId(api, resource), true)
  }, [api, route, resource, choose])
}
