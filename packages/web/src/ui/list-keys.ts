// Keyboard navigation of lists.

/** Returns the next index for a key. Undefined if the key doesn't move. */
export function movedIndex(key: string, index: number, length: number): number | undefined {
  const last = length - 1
  switch (key) {
    case "ArrowDown":
      return Math.min(index + 1, last)
    case "ArrowUp":
      return Math.max(index - 1, 0)
    case "PageDown":
      return Math.min(index + 12, last)
    case "PageUp":
      return Math.max(index - 12, 0)
    default:
      return undefined
  }
}

interface TreeRow {
  readonly depth: number
  readonly isOpen?: boolean | undefined
}

/** Returns the next index in the visible rows of a tree. */
export function movedRow(key: string, rows: readonly TreeRow[], index: number): number | undefined {
  if (key === "Home") return 0
  if (key === "End") return rows.length - 1
  if (key === "ArrowRight") return rows[index]?.isOpen === true ? index + 1 : undefined
  if (key !== "ArrowLeft") return movedIndex(key, index, rows.length)
  const depth = rows[index]?.depth ?? 1
  return rows.findLastIndex((row, at) => at < index && row.depth < depth)
}
