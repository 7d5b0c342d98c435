// Finds the part of two long texts that shows how they differ.

export interface TextWindow {
  readonly text: string
  /** True if the text goes on before or after the window. */
  readonly isCutBefore: boolean
  readonly isCutAfter: boolean
}

/** Returns the same window of two different texts: `size` characters around their first difference. */
export function differenceWindows(
  left: string,
  right: string,
  size: number,
): readonly [TextWindow, TextWindow] {
  const same = commonLength(left, right)
  // A quarter is context. A window at the end is filled with more of it.
  const last = Math.max(left.length, right.length) - size
  const from = Math.max(0, Math.min(same - Math.floor(size / 4), last))
  return [windowAt(left, from, size), windowAt(right, from, size)]
}

function commonLength(left: string, right: string): number {
  let at = 0
  while (at < left.length && left.charCodeAt(at) === right.charCodeAt(at)) at++
  return at
}

const windowAt = (text: string, from: number, size: number): TextWindow => ({
  // Half of a surrogate pair at an end isn't text.
  text: text.slice(from, from + size).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, ""),
  isCutBefore: from > 0,
  isCutAfter: from + size < text.length,
})
