// The literals of a well-formed JSON text: its strings, numbers and words, where they stand.

export interface Literal {
  readonly from: number
  readonly to: number
}

/** In the order of the text, names of members among them. Not by one expression: that would need a stack as deep as a string is long. */
export function* literalsOf(text: string): Generator<Literal, void, undefined> {
  const start = /"|[-+.0-9A-Za-z]+/g
  for (let found = start.exec(text); found !== null; found = start.exec(text)) {
    const from = found.index
    const to = found[0] === '"' ? stringEnd(text, from) : start.lastIndex
    yield { from, to }
    start.lastIndex = to
  }
}

function stringEnd(text: string, open: number): number {
  const stop = /["\\]/g
  stop.lastIndex = open + 1
  for (let found = stop.exec(text); found !== null; found = stop.exec(text)) {
    if (found[0] === '"') return stop.lastIndex
    stop.lastIndex++
  }
  return text.length
}

/** True and false tell nothing of a secret. */
export const isPlainWord = (text: string): boolean => text === "true" || text === "false" || text === "null"
