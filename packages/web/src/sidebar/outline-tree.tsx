// The outline as a tree. Arrow keys move, expand and collapse. Enter opens the active row.

import { useEffect, useState, useMemo, type KeyboardEvent } from "react"
import type { ProjectView } from "@callsheet/server/calls"
import { useOperations } from "../data/use-operations.ts"
import { useUnsavedRoutes } from "../editing/use-unsaved-files.ts"
import { showImport } from "../imports/import-state.ts"
import { movedRow } from "../parts/list-keys.ts"
import { VirtualList } from "../parts/virtual-list.tsx"
import { hashOf } from "../routes/route.ts"
import { goTo, useRoute } from "../routes/use-route.ts"
import { useOutcomes } from "../run/use-outcomes.ts"
import { showWorkflowDialog } from "../workflow/workflow-dialog-state.ts"
import { useOpenRows } from "./open-rows.ts"
import { OutlineRow } from "./outline-row.tsx"
import {
  outlineRows,
  showsOperations,
  apiRowId,
  environmentsRowId,
  operationsRowId,
  resourceRowId,
  type OutlineRow as Row,
} from "./outline.ts"

const rowHeight = 28

const domId = (index: number): string => `outline-${index}`

export function OutlineTree({ project }: { readonly project: ProjectView }) {
  const rows = useOutline(project)
  const route = useRoute()
  // A script has no row, so select its workflow.
  const selected = hashOf(route.kind === "script" ? { kind: "workflow", workflow: route.workflow } : route)
  const choose = useOpenRows((state) => state.choose)
  const [activeId, setActiveId] = useState<string>()
  useReveal(project)
  useEffect(() => setActiveId(selected), [selected])
  const found = rows.findIndex(({ id }) => id === activeId)
  const activeIndex = found === -1 ? 0 : found
  const open = (row: Row): void => {
    setActiveId(row.id)
    if (row.route !== undefined) goTo(row.route)
    if (row.does === "new-workflow") showWorkflowDialog({ kind: "new" })
    else if (row.does !== undefined) showImport(row.does)
    if (row.isOpen !== undefined) choose(row.id, row.route === undefined ? !row.isOpen : true)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    // The page handles Alt with an arrow (history) and Ctrl-Enter (run).
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const target = keyTarget(event.key, rows, activeIndex)
    if (target === undefined) return
    event.preventDefault()
    if (target.does === "open") open(target.row)
    else if (target.does === "toggle") choose(target.row.id, target.row.isOpen !== true)
    else setActiveId(target.row.id)
  }
  return (
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
          onOpen={() => open(row)}
          onToggle={() => choose(row.id, row.isOpen !== true)}
        />
      )}
    />
  )
}

interface KeyTarget {
  readonly row: Row
  readonly does: "move" | "open" | "toggle"
}

function keyTarget(key: string, rows: readonly Row[], index: number): KeyTarget | undefined {
  const row = rows[index]
  if (row === undefined) return undefined
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
  return useMemo(
    () =>
      outlineRows({
        project,
        chosen,
        outcomes,
        unsaved,
        operations: new Map(read.map((operations) => [operations.api, operations])),
      }),
    [project, chosen, read, outcomes, unsaved],
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
    if (api === undefined) return
    choose(apiRowId(api), true)
    if (route.kind.startsWith("environment")) choose(environmentsRowId(api), true)
    if (route.kind === "request") choose(`${api}/requests`, true)
    if (resource === undefined) return
    choose(operationsRowId(api), true)
    choose(resourceRowId(api, resource), true)
  }, [api, route, resource, choose])
}
