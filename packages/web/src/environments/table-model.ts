// The table of an API's environments as a value: which rows and columns a filter leaves, and what stands where they meet. Pure.

import type { CellView, EnvironmentColumn, EnvironmentsView, VariableView } from "@callsheet/server/calls"

export interface TableModel {
  readonly view: EnvironmentsView
  readonly rows: readonly VariableView[]
  readonly columns: readonly EnvironmentColumn[]
}

interface TableFilter {
  /** Words: each in the name or description of a variable, or all in the name of an environment. */
  readonly query: string
  /** Only variables that are missing somewhere, and environments in which something is. */
  readonly onlyMissing: boolean
}

/** Where a cell is: -1 is the row of the heads, and the column of the names. */
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
  // A word that names environments, and no variable, leaves those columns with all of their rows.
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

/** Own properties alone: a variable may be called as anything that an object has. */
export function cellOf(view: EnvironmentsView, environment: string, variable: string): CellView | undefined {
  const cells = Object.hasOwn(view.cells, environment) ? view.cells[environment] : undefined
  return cells !== undefined && Object.hasOwn(cells, variable) ? cells[variable] : undefined
}

/** How many required values no file gives, of all environments. */
export function countMissing(view: EnvironmentsView): number {
  let missing = 0
  for (const { name, isBroken } of view.environments) {
    if (isBroken) continue
    for (const cell of Object.values(view.cells[name] ?? {})) if (cell.isMissing) missing++
  }
  return missing
}

/** Environments that inherit from one directly. */
export const childrenOf = (view: EnvironmentsView, environment: string): readonly string[] =>
  view.environments.filter(({ extends: parent }) => parent === environment).map(({ name }) => name)

/** Environments that may not be the parent of one: itself, and whatever inherits from it. */
export function withDescendants(view: EnvironmentsView, environment: string): ReadonlySet<string> {
  const children = new Map<string, string[]>()
  for (const { name, extends: parent } of view.environments)
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), name])
  const found = new Set([environment])
  // A set goes on with what is added to it meanwhile, and nothing is added twice.
  for (const name of found) for (const child of children.get(name) ?? []) found.add(child)
  return found
}

interface Key {
  readonly key: string
  readonly ctrlKey: boolean
}

/** Where a key leads in a table; absent where it is no key of tables. */
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
