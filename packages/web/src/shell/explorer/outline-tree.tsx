// The outline as a tree. Arrow keys move, expand and collapse. Enter opens the active row.

import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent } from "react"
import { type ProjectView, fileAt, type FileChange } from "@callsheet/server/calls"
import { create } from "zustand"
import { keep, readKept } from "../../connection/window-storage.ts"
import { useUnsavedRoutes, sidebarRouteOf } from "../../files/use-unsaved-files.ts"
import { showImport } from "../imports/import-state.ts"
import { movedRow } from "../../ui/list-keys.ts"
import { Menu, type MenuItem } from "../../ui/menu.tsx"
import { VirtualList } from "../../ui/virtual-list.tsx"
import { hashOf } from "../../routes/route.ts"
import { goTo, useRoute } from "../../routes/use-route.ts"
import { openTab } from "../../routes/open-tabs.ts"
import { visibleText } from "../../ui/visible-text.ts"
import { createSuite } from "../../runs/suites/suite-items.ts"
import { showWorkflowDialog } from "../../blocks/workflow-dialog.ts"
import { OutlineRow } from "./outline-row.tsx"
import {
  outlineRows,
  showsOperations,
  apiRowId,
  environmentsRowId,
  operationsRowId,
  requestFolderRowId,
  requestsRowId,
  resourceRowId,
  workflowGroupId,
  type OutlineRow as Row,
} from "./outline.ts"
import { rowItems, subjectOf } from "./row-items.ts"
import { isOfDocument, useChanges, useOperations } from "../../connection/queries.ts"
import { useOutcomes } from "../../runs/state/use-run-queries.ts"

const rowHeight = 28

const domId = (index: number): string => `outline-${index}`

export function OutlineTree({ project }: { readonly project: ProjectView }) {
  const rows = useOutline(project)
  const { selected, found, setActiveId } = useActiveRow(rows)
  const activeIndex = Math.max(0, found)
  const marks = useMarkedRows(rows, { selected, activeIndex, setActiveId })
  const choose = useOpenRows((state) => state.choose)
  useReveal(project)
  const [menu, setMenu] = useState<string>()
  const showMenu = (row: Row): void => {
    setActiveId(row.id)
    setMenu(row.id)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    // The page handles Alt with an arrow (history) and Ctrl-Enter (run).
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const target = keyTarget(event, rows, activeIndex)
    if (target === undefined) return
    event.preventDefault()
    const { row, does } = target
    if (does === "extend") marks.extendTo(row)
    else if (does === "unmark") marks.clear()
    else if (does === "open") marks.open(row)
    else if (does === "menu") showMenu(row)
    else if (does === "item") keyItem(event.key, rowItems(row, project, []))?.does()
    else if (does === "toggle") choose(row.id, row.isOpen !== true)
    else setActiveId(row.id)
  }
  const onClick = (row: Row, { shiftKey, ctrlKey, metaKey }: MouseEvent): void =>
    shiftKey ? marks.extendTo(row) : marks.open(row, ctrlKey || metaKey)
  return (
    <>
      <VirtualList
        id="outline"
        className="outline"
        role="tree"
        aria-label="Project"
        aria-multiselectable="true"
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
            isSelected={marks.isMarked(row)}
            onOpen={(event) => onClick(row, event)}
            onMenu={() => showMenu(row)}
            onToggle={() => choose(row.id, row.isOpen !== true)}
          />
        )}
      />
      <RowMenu {...{ project, rows }} id={menu} marked={marks.subjects} onClose={() => setMenu(undefined)} />
    </>
  )
}

/** Shows the row's place, or does what it says. */
function openRow({ id, route, does, isOpen }: Row, isLasting: boolean): void {
  if (route !== undefined) (isLasting ? openTab : goTo)(route)
  if (does === "new-workflow") showWorkflowDialog({ kind: "new" })
  else if (does === "new-suite") createSuite()
  else if (does !== undefined) showImport(does)
  if (isOpen !== undefined) useOpenRows.getState().choose(id, route === undefined ? !isOpen : true)
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

interface RowPlace {
  /** The id of the row of the current route. */
  readonly selected: string
  readonly activeIndex: number
  readonly setActiveId: (id: string) => void
}

/** The workflows and suites that the user selected to run together. A single one is the row of the current route. */
function useMarkedRows(rows: readonly Row[], { selected, activeIndex, setActiveId }: RowPlace) {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const anchor = useRef<string>(undefined)
  /** A row that opens in a lasting tab is added to the selection. */
  const open = (row: Row, isAdded = false): void => {
    setActiveId(row.id)
    openRow(row, isAdded)
    anchor.current = row.id
    const next = new Set(marked.size === 0 ? [selected] : marked)
    if (isAdded && !(marked.size > 0 && next.delete(row.id))) next.add(row.id)
    setMarked(isAdded ? next : new Set())
  }
  const extendTo = (row: Row): void => {
    const from = rows.findIndex(({ id }) => id === (anchor.current ??= rows[activeIndex]?.id))
    const to = rows.indexOf(row)
    setMarked(new Set(rows.slice(Math.min(from, to), Math.max(from, to) + 1).map(({ id }) => id)))
    setActiveId(row.id)
  }
  const subjects = rows.flatMap((row) => (marked.has(row.id) ? (subjectOf(row) ?? []) : []))
  return {
    open,
    extendTo,
    clear: () => setMarked(new Set()),
    subjects,
    isMarked: (row: Row) =>
      subjects.length < 2 ? row.id === selected : subjects.includes(subjectOf(row) ?? ""),
  }
}

interface MenuProps {
  readonly project: ProjectView
  readonly rows: readonly Row[]
  /** The row whose menu is open. */
  readonly id: string | undefined
  /** The selected workflows and suites. */
  readonly marked: readonly string[]
  readonly onClose: () => void
}

function RowMenu({ project, rows, id, marked, onClose }: MenuProps) {
  const index = rows.findIndex((row) => row.id === id)
  const row = rows[index]
  const items = row === undefined ? [] : rowItems(row, project, marked)
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
  readonly does: "move" | "extend" | "unmark" | "open" | "toggle" | "menu" | "item"
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
  if (key === "Escape") return { row, does: "unmark" }
  if (key === "ArrowRight" && row.isOpen === false) return { row, does: "toggle" }
  if (key === "ArrowLeft" && row.isOpen === true) return { row, does: "toggle" }
  const next = rows[movedRow(key, rows, index) ?? -1]
  return next === undefined ? undefined : { row: next, does: shiftKey ? "extend" : "move" }
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
  const changes = useChangedRows(project)
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
    if (route.kind === "request") {
      choose(requestsRowId(api), true)
      choose(requestFolderRowId(api, route.resource), true)
    }
    if (resource === undefined) return
    choose(operationsRowId(api), true)
    choose(resourceRowId(api, resource), true)
  }, [api, route, resource, choose])
}

interface OpenRows {
  readonly chosen: ReadonlyMap<string, boolean>
  readonly choose: (id: string, isOpen: boolean) => void
}

/** The key under which a reload finds the closed groups of workflows. */
const storageKey = "callsheet closed groups"

const useOpenRows = create<OpenRows>((set) => ({
  chosen: new Map((readKept(storageKey) ?? "").split("\n").map((id) => [id, false])),
  choose: (id, isOpen) => set(({ chosen }) => ({ chosen: new Map(chosen).set(id, isOpen) })),
}))

// Only these groups, because a row that loads its rows later would move those below it after a reload.
useOpenRows.subscribe(({ chosen }) =>
  keep(
    storageKey,
    [...chosen].flatMap(([id, isOpen]) => (!isOpen && id.startsWith("workflows/") ? [id] : [])).join("\n"),
  ),
)

/** Returns the changes by `hashOf`. */
function useChangedRows({ apis }: ProjectView): ReadonlyMap<string, FileChange["change"]> {
  const data = useChanges()
  return useMemo(() => {
    const changes = new Map<string, FileChange["change"]>()
    for (const { file, change } of data?.files ?? []) {
      const name = fileAt(file)
      const api = name === undefined ? apis.find((one) => isOfDocument(one.name, file)) : undefined
      if (name === undefined && api === undefined) continue
      const route =
        name === undefined ? ({ kind: "api", api: api?.name ?? "" } as const) : sidebarRouteOf(name)
      // A row that shows another file too isn't new because of this one.
      const isOwn =
        api === undefined ? name?.kind !== "script" && name?.kind !== "schema" : file === api.document?.file
      if (isOwn || !changes.has(hashOf(route))) changes.set(hashOf(route), isOwn ? change : "changed")
    }
    return changes
  }, [data, apis])
}
