// Converts offsets in a text to lines and columns, both 1-based, in UTF-16 code units.

export interface LineColumn {
  readonly line: number
  readonly column: number
}

/** Counts LF, CRLF and lone CR as line ends, as editors do. */
export function lineColumnAt(text: string, offset: number): LineColumn {
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

/** Returns a `lineColumnAt` for many offsets of one text. Reads the text once, at the first call. */
export function createLineFinder(text: string): (offset: number) => LineColumn {
  let starts: readonly number[] | undefined
  return (offset) => {
    starts ??= lineStarts(text)
    const at = Math.min(offset, text.length)
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (starts[middle]! <= at) low = middle
      else high = middle
    }
    return { line: low + 1, column: at - starts[low]! + 1 }
  }
}

export function createOffsetFinder(text: string): (place: LineColumn) => number {
  const starts = lineStarts(text)
  return ({ line, column }) => Math.min((starts[line - 1] ?? text.length) + column - 1, text.length)
}

function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 10 || (unit === 13 && text.charCodeAt(at + 1) !== 10)) starts.push(at + 1)
  }
  return starts
}
