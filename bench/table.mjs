// Formats the benchmark's rows as a text table.

const columns = [
  { head: "what", cell: (row) => row.what },
  { head: "of", cell: (row) => row.measured },
  { head: "callsheet", cell: (row) => row.ours, right: true },
  { head: "beside", cell: (row) => row.baseline, right: true },
  { head: "ratio", cell: (row) => row.ratio.toFixed(2), right: true },
  { head: "stored", cell: ({ stored }) => (stored === undefined ? "" : stored.toFixed(2)), right: true },
  { head: "change", cell: change, right: true },
  { head: "goal", cell: (row) => (row.goal === undefined ? "" : `<= ${row.goal}`), right: true },
  { head: "met", cell: (row) => (row.goal === undefined ? "" : row.ratio <= row.goal ? "yes" : "NO") },
]

function change({ stored, ratio }) {
  if (stored === undefined) return ""
  const percent = Math.round((ratio / stored - 1) * 100)
  return `${percent > 0 ? "+" : ""}${percent} %`
}

export function formatTable(rows) {
  const cells = rows.map((row) => columns.map(({ cell }) => cell(row)))
  const widths = columns.map(({ head }, index) =>
    Math.max(head.length, ...cells.map((line) => line[index].length)),
  )
  const format = (line) =>
    line
      .map((text, index) =>
        columns[index].right ? text.padStart(widths[index]) : text.padEnd(widths[index]),
      )
      .join("  ")
      .trimEnd()
  return [columns.map(({ head }) => head), widths.map((width) => "-".repeat(width)), ...cells]
    .map(format)
    .join("\n")
}
