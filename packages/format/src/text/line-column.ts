// Offset in a text -> line and column, both 1-based, in UTF-16 code units.

/** Line ends are LF, CRLF and lone CR, as editors count them. */
export function lineColumnAt(text: string, offset: number): { line: number; column: number } {
  let line = 1
  let lineStart = 0
  const end = Math.min(offset, text.length)
  for (let at = 0; at < end; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 10 || (unit === 13 && text.charCodeAt(at + 1) !== 10)) {
      line++
      lineStart = at + 1
    }
  }
  return { line, column: end - lineStart + 1 }
}
