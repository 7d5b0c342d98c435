// Applies several changes to one text.

/** Replaces a range with a text. Offsets are UTF-16 code units of the original text. */
export interface TextChange {
  readonly from: number
  readonly to: number
  readonly by: string
}

/** Applies changes that must not overlap. */
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
