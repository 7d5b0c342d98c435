// Finds the entries that contain all words of a query, best first. With 12,000 entries, it is still fast enough to run
// on each key press.

import type { Entry } from "./entries.ts"

/** Words match in any order. The name of a method matches the method before names that contain it. */
export function findEntries(entries: readonly Entry[], query: string): readonly Entry[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
  if (words.length === 0) return entries
  const found: { readonly entry: Entry; readonly rank: number }[] = []
  for (const entry of entries) {
    if (words.every((word) => entry.text.includes(word))) found.push({ entry, rank: rankOf(entry, words) })
  }
  // Sorting is stable, so entries of equal rank stay in the project's order.
  return found.sort((one, other) => one.rank - other.rank).map(({ entry }) => entry)
}

/** Ranks a match by its worst word. Lower is better. */
function rankOf(entry: Entry, words: readonly string[]): number {
  const name = entry.name.toLowerCase()
  return Math.max(...words.map((word) => rankOfWord(entry, name, word)))
}

function rankOfWord({ method, text }: Entry, name: string, word: string): number {
  if (name === word || method?.toLowerCase() === word) return 0
  if (name.startsWith(word) || name.startsWith(`/${word}`)) return 1
  if (name.includes(word)) return 2
  return text.includes(` ${word}`) ? 3 : 4
}
