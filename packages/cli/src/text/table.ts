// Aligns rows of cells in columns.

import type { Style } from "../screen.ts"

/** Formats a table. The last column is not padded, empty columns are left out, and heads are dim. */
export function tableText(heads: readonly string[], rows: readonly (readonly string[])[], style: Style) {
  const columns = heads.map((head, at) => ({
    isUsed: rows.some((row) => (row[at] ?? "") !== ""),
    width: rows.reduce((width, row) => Math.max(width, (row[at] ?? "").length), head.length),
  }))
  const line = (cells: readonly string[]) =>
    columns
      .flatMap(({ isUsed, width }, at) => (isUsed ? [(cells[at] ?? "").padEnd(width)] : []))
      .join("  ")
      .trimEnd()
  return [style("dim", line(heads)), ...rows.map(line), ""].join("\n")
}
