// The search: which entries hold all words of a query, the best first. Fast enough for every key at 12,000 entries.

import type { Entry } from "./entries.ts"

/** Words in any order, each anywhere; a method as a word is that method before it is a part of a name. */
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
  // Sorting is stable: those of one rank stay in the order of the project.
  return found.sort((one, other) => one.rank - other.rank).map(({ entry }) => entry)
}

/** Lower is better: how well the worst word is met. */
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
