// Finds the marker lines that git leaves in a file with an unfinished merge.

// Matches git's idea of a line: U+2028, which `^` also matches after, does not start one.
const markerLine = /(?<=^|[\n\r])(?:(?:<{7}|\|{7}|>{7})(?: [^\n\r]*)?|={7})(?=[\n\r]|$)/g

/**
 * Returns the offset of the first marker line. A row of `=` or `|` counts only with one of `<` or `>`, because texts
 * use such rows to underline.
 */
export function conflictMarkerAt(text: string): number | undefined {
  if (!text.includes("<<<<<<<") && !text.includes(">>>>>>>")) return undefined
  let first: number | undefined
  for (const match of text.matchAll(markerLine)) {
    first ??= match.index
    if (match[0].startsWith("<") || match[0].startsWith(">")) return first
  }
  return undefined
}
