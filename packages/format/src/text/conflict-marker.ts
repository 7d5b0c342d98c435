// Finds the marker lines that git leaves in a file with an unfinished merge.

// Matches lines as git defines them. With `^`, U+2028 would start a line too.
const markerLine = /(?<=^|[\n\r])(?:(?:<{7}|\|{7}|>{7})(?: [^\n\r]*)?|={7})(?=[\n\r]|$)/g

/**
 * Returns the offset of the first marker line. A row of `=` or `|` counts only together with a row of `<` or `>`,
 * because such rows also underline headings.
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
