// Aligns the cells of rows in columns.

import type { Style } from "../screen.ts"

/** Formats a table with dim headings. Omits empty columns. Doesn't pad the last column. */
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
