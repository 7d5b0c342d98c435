// Keys that move through a list.

/** Where a key leads from `index`; absent where it is no key of lists. */
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
