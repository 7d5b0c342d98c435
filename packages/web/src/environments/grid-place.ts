// Where in the table the person is, by names: it stays there when the table is read again or filtered.

import type { GridPosition, TableModel } from "./table-model.ts"

/** Absent: the head of the column, the head of the row. */
export interface GridPlace {
  readonly variable?: string | undefined
  readonly environment?: string | undefined
}

/** Where a place is now: of what is no longer there, the first row or column. */
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

/** The cell or head that an element is in. */
export function positionAt(element: EventTarget | null): GridPosition | undefined {
  const cell = element instanceof Element ? element.closest<HTMLElement>("[data-row]") : null
  return cell === null
    ? undefined
    : { row: Number(cell.dataset["row"]), column: Number(cell.dataset["column"]) }
}
