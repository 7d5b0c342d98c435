// The active cell by its names, so that it survives reloads and filters.

import type { GridPosition, TableModel } from "./table-model.ts"

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

/** Returns the cell or header that contains an element. */
export function positionAt(element: EventTarget | null): GridPosition | undefined {
  const cell = element instanceof Element ? element.closest<HTMLElement>("[data-row]") : null
  return cell === null
    ? undefined
    : { row: Number(cell.dataset["row"]), column: Number(cell.dataset["column"]) }
}
