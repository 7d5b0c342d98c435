// The table of environments as a value: visible rows and columns, the value of each cell, and what keys do. Pure.

import { ownOf } from "@callsheet/format"
import type { CellView, EnvironmentColumn, EnvironmentsView, VariableView } from "@callsheet/server/calls"

export interface TableModel {
  readonly view: EnvironmentsView
  readonly rows: readonly VariableView[]
  readonly columns: readonly EnvironmentColumn[]
}

interface TableFilter {
  /**
   * Words to filter by. Each must match the name or description of a variable, or all must match the name of an
   * environment.
   */
  readonly query: string
  /** Shows only variables and environments with missing values. */
  readonly onlyMissing: boolean
}

/** The position of a cell. -1 is the header row or the column of names. */
export interface GridPosition {
  readonly row: number
  readonly column: number
}

export function tableModel(view: EnvironmentsView, { query, onlyMissing }: TableFilter): TableModel {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
  const named = view.environments.filter(({ name }) => words.length > 0 && holdsAll(name, words))
  const matching = view.variables.filter(({ name, description = "" }) =>
    holdsAll(`${name} ${description}`, words),
  )
  // A word that matches only environments filters columns. All rows stay.
  const isOfColumns = named.length > 0 && matching.length === 0
  const columns = isOfColumns ? named : view.environments
  const rows = isOfColumns ? view.variables : matching
  return onlyMissing ? missingAlone({ view, rows, columns }) : { view, rows, columns }
}

const holdsAll = (text: string, words: readonly string[]): boolean =>
  words.every((word) => text.toLowerCase().includes(word))

function missingAlone({ view, rows, columns }: TableModel): TableModel {
  const isMissing = (environment: string, variable: string): boolean =>
    cellOf(view, environment, variable)?.isMissing === true
  return {
    view,
    rows: rows.filter(({ name }) => columns.some((column) => isMissing(column.name, name))),
    columns: columns.filter(({ name }) => rows.some((row) => isMissing(name, row.name))),
  }
}

/** Reads own properties only: a variable may be named like a member of Object. */
export function cellOf(view: EnvironmentsView, environment: string, variable: string): CellView | undefined {
  const cells = ownOf(view.cells, environment)
  return ownOf(cells, variable)
}

/** Returns the number of missing required values in all environments. */
export function countMissing(view: EnvironmentsView): number {
  let missing = 0
  for (const { name, isBroken } of view.environments) {
    if (isBroken) continue
    for (const cell of Object.values(ownOf(view.cells, name) ?? {})) if (cell.isMissing) missing++
  }
  return missing
}

/** Returns the environments that extend this one directly. */
export const childrenOf = (view: EnvironmentsView, environment: string): readonly string[] =>
  view.environments.filter(({ extends: parent }) => parent === environment).map(({ name }) => name)

/** Returns the environments that can't be the parent of this one: itself and its descendants. */
export function withDescendants(view: EnvironmentsView, environment: string): ReadonlySet<string> {
  const children = new Map<string, string[]>()
  for (const { name, extends: parent } of view.environments)
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), name])
  const found = new Set([environment])
  // This loop also visits the environments that it adds.
  for (const name of found) for (const child of children.get(name) ?? []) found.add(child)
  return found
}

interface Key {
  readonly key: string
  readonly ctrlKey: boolean
}

/** Returns the next position for a key. Undefined if the key doesn't move. */
export function movedPosition(
  { key, ctrlKey }: Key,
  { row, column }: GridPosition,
  { rows, columns }: { readonly rows: number; readonly columns: number },
): GridPosition | undefined {
  const to = (nextRow: number, nextColumn: number): GridPosition => ({
    row: Math.max(-1, Math.min(nextRow, rows - 1)),
    column: Math.max(-1, Math.min(nextColumn, columns - 1)),
  })
  switch (key) {
    case "ArrowDown":
      return ctrlKey ? to(rows - 1, column) : to(row + 1, column)
    case "ArrowUp":
      return ctrlKey ? to(-1, column) : to(row - 1, column)
    case "ArrowRight":
      return ctrlKey ? to(row, columns - 1) : to(row, column + 1)
    case "ArrowLeft":
      return ctrlKey ? to(row, -1) : to(row, column - 1)
    case "PageDown":
      return to(row + 10, column)
    case "PageUp":
      return to(row - 10, column)
    case "Home":
      return ctrlKey ? to(-1, -1) : to(row, -1)
    case "End":
      return ctrlKey ? to(rows - 1, columns - 1) : to(row, columns - 1)
    default:
      return undefined
  }
}

export type KeyAction =
  | { readonly does: "move"; readonly to: GridPosition }
  | { readonly does: "edit"; readonly typed?: string }
  | { readonly does: "menu" | "reset" | "copy" | "leave" }

interface KeyPress {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

interface Size {
  readonly rows: number
  readonly columns: number
}

/** Returns undefined if the table doesn't use the key. */
export function keyAction(event: KeyPress, position: GridPosition, size: Size): KeyAction | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event
  if (altKey) return undefined
  if ((key === "F10" && shiftKey) || key === "ContextMenu") return { does: "menu" }
  const to = metaKey ? undefined : movedPosition(event, position, size)
  if (to !== undefined) return { does: "move", to }
  const isCell = position.row >= 0 && position.column >= 0
  if (ctrlKey || metaKey) return isCell && key.toLowerCase() === "c" ? { does: "copy" } : undefined
  if (key === " ") return { does: "menu" }
  if (key === "Enter" || key === "F2") return { does: isCell ? "edit" : "menu" }
  if (key === "Escape") return { does: "leave" }
  if (!isCell) return undefined
  if (key === "Delete" || key === "Backspace") return { does: "reset" }
  return key.length === 1 ? { does: "edit", typed: key } : undefined
}

/** A cell of the table. Without an environment, the header of a row. Without a variable, the header of a column. */
export interface GridPlace {
  readonly variable?: string | undefined
  readonly environment?: string | undefined
}

/** Returns the current position. If a name no longer exists, uses the first row or column. */
export function positionOf(
  { rows, columns }: TableModel,
  { variable, environment }: GridPlace,
): GridPosition {
  const row = variable === undefined ? -1 : rows.findIndex(({ name }) => name === variable)
  const column = environment === undefined ? -1 : columns.findIndex(({ name }) => name === environment)
  return {
    row: row === -1 && variable !== undefined ? Math.min(0, rows.length - 1) : row,
    column: column === -1 && environment !== undefined ? Math.min(0, columns.length - 1) : column,
  }
}

export const placeAt = ({ rows, columns }: TableModel, { row, column }: GridPosition): GridPlace => ({
  variable: rows[row]?.name,
  environment: columns[column]?.name,
})
