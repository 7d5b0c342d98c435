// Suggestions for a field while the user types.

export interface Suggestion {
  readonly text: string
  /** Distinguishes the suggestion from others, for example by its type, a received value or a summary. */
  readonly note?: string | undefined
  readonly method?: string
  /** The text to insert. By default, `text`. */
  readonly insert?: string
  /** The caret's distance from the end of the inserted text. */
  readonly caretBack?: number
  /** True if the next suggestions follow at once, such as the members of a value. */
  readonly goesOn?: true
}

export interface Suggestions {
  /** The start of the text that a suggestion replaces. */
  readonly from: number
  readonly to: number
  readonly items: readonly Suggestion[]
}

/** Suggestions that are available now, and those that replace them when they are loaded. */
export interface GrowingSuggestions {
  readonly now: Suggestions
  readonly later: Promise<Suggestions>
}

/** Returns the index of the suggestion that was active before. If it is gone, returns 0. */
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
