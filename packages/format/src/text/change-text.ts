// Several changes of one text.

/** What stands from one place to another is replaced; in UTF-16 code units of the text before. */
export interface TextChange {
  readonly from: number
  readonly to: number
  readonly by: string
}

/** Makes the changes, of which none reaches into another. */
export function changeText(text: string, changes: readonly TextChange[]): string {
  const pieces: string[] = []
  let done = 0
  for (const { from, to, by } of changes.toSorted((a, b) => a.from - b.from)) {
    if (from < done) throw new Error("changes of a text reach into each other")
    pieces.push(text.slice(done, from), by)
    done = to
  }
  return pieces.join("") + text.slice(done)
}
