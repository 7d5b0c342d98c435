// Suggestions for a field while the user types.

export interface Suggestion {
  readonly text: string
  /** Distinguishes the suggestion from others: a type, the last received value, a summary. */
  readonly note?: string | undefined
  readonly method?: string
  /** Replaces the text between `from` and `to`. Default: `text`. */
  readonly insert?: string
  /** Caret position after insertion, counted back from the end of the inserted text. */
  readonly caretBack?: number
}

export interface Suggestions {
  /** Start of the typed text that a suggestion replaces. */
  readonly from: number
  readonly to: number
  readonly items: readonly Suggestion[]
}

/** Suggestions that are known immediately, and the ones that replace them once loaded. */
export interface GrowingSuggestions {
  readonly now: Suggestions
  readonly later: Promise<Suggestions>
}

/** Returns the index of the previously active suggestion in the new list; otherwise 0. */
export function activeIn(items: readonly Suggestion[], before: Suggestion | undefined): number {
  return Math.max(
    0,
    items.findIndex(({ text }) => text === before?.text),
  )
}

export const noSuggestions: Suggestions = { from: 0, to: 0, items: [] }

/** Returns the text with the suggestion inserted, and the new caret position. */
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
