// Rows of cells as lines with aligned columns.

import type { Style } from "../screen.ts"

/** Lines of a table; the last column is not padded, empty columns take no room. Heads stand out dimly. */
export function tableLines(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  style: Style,
): string[] {
  const used = heads.map((_, column) => rows.some((row) => (row[column] ?? "") !== ""))
  const widths = heads.map((head, column) =>
    rows.reduce((width, row) => Math.max(width, (row[column] ?? "").length), head.length),
  )
  const line = (cells: readonly string[]) =>
    heads
      .map((_, column) => (cells[column] ?? "").padEnd(widths[column]!))
      .filter((_, column) => used[column])
      .join("  ")
      .trimEnd()
  return [style("dim", line(heads)), ...rows.map(line)]
}
