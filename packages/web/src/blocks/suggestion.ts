// What a field suggests while somebody types in it.

export interface Suggestion {
  readonly text: string
  /** What tells it from others: a type, a value that came last, a summary. */
  readonly note?: string | undefined
  /** Stands before its text. */
  readonly method?: string
  /** What takes the place of the text between `from` and `to`; `text` unless told. */
  readonly insert?: string
  /** Where the caret goes from the end of what was inserted. */
  readonly caretBack?: number
}

export interface Suggestions {
  /** Which part of the typed text a suggestion takes the place of. */
  readonly from: number
  readonly to: number
  readonly items: readonly Suggestion[]
}

/** What is known at once, and what takes its place when somebody was asked. */
export interface GrowingSuggestions {
  readonly now: Suggestions
  readonly later: Promise<Suggestions>
}

/** Where the suggestion that was active is in the list as it has become; else the first. */
export function activeIn(items: readonly Suggestion[], before: Suggestion | undefined): number {
  return Math.max(
    0,
    items.findIndex(({ text }) => text === before?.text),
  )
}

export const noSuggestions: Suggestions = { from: 0, to: 0, items: [] }

/** The text with a suggestion in it, and where the caret goes. */
export function withSuggestion(
  text: string,
  { from, to }: Suggestions,
  { text: own, insert = own, caretBack = 0 }: Suggestion,
): { readonly text: string; readonly caret: number } {
  return {
    text: text.slice(0, from) + insert + text.slice(to),
    caret: from + insert.length - caretBack,
  }
}
