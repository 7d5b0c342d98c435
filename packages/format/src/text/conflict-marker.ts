// The marker lines that git leaves in a file whose merge is not finished.

// Lines as git sees them: U+2028, at which `^` matches too, starts none.
const markerLine = /(?<=^|[\n\r])(?:(?:<{7}|\|{7}|>{7})(?: [^\n\r]*)?|={7})(?=[\n\r]|$)/g

/** The offset of the first marker line. A row of `=` or `|` counts only beside one of `<` or `>`: a text may underline with it. */
export function conflictMarkerAt(text: string): number | undefined {
  if (!text.includes("<<<<<<<") && !text.includes(">>>>>>>")) return undefined
  let first: number | undefined
  for (const match of text.matchAll(markerLine)) {
    first ??= match.index
    if (match[0].startsWith("<") || match[0].startsWith(">")) return first
  }
  return undefined
}
