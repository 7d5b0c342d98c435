// Finds the known name that a misspelled one probably meant.

import { getOrCreate } from "../memo.ts"

/** Returns the closest name if at most a third of the letters differ, or the only name that starts with the word. */
export function didYouMean(word: string, names: Iterable<string>): string | undefined {
  const known = [...names]
  let best: string | undefined
  // Don't count the dashes of an option, which nobody misspells.
  const { length } = word.replace(/^--/, "")
  let bestDistance = Math.max(1, Math.floor(length / 3)) + 1
  const lower = word.toLowerCase()
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue
    const distance = editDistance(lower, candidate.toLowerCase(), bestDistance)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  if (best !== undefined || lower.length < 4) return best
  // Suggests `delayMs` for `delay`.
  const longer = known.filter((candidate) => candidate.toLowerCase().startsWith(lower))
  return longer.length === 1 ? longer[0] : undefined
}

/** Returns the closest name if no other is nearly as close, or the only one that differs just in case. */
export function onlySimilar(word: string, names: Iterable<string>): string | undefined {
  const known = [...new Set(names)]
  const best = didYouMean(word, known)
  if (best === undefined) return undefined
  const lower = word.toLowerCase()
  const inOtherCase = known.filter((name) => name.toLowerCase() === lower)
  if (inOtherCase.length > 0) return inOtherCase.length === 1 ? inOtherCase[0] : undefined
  const other = didYouMean(
    word,
    known.filter((name) => name !== best),
  )
  if (other === undefined) return best
  const distanceOf = (name: string): number => editDistance(lower, name.toLowerCase(), Infinity)
  return distanceOf(other) - distanceOf(best) > 1 ? best : undefined
}

/**
 * Returns the only name that differs in one letter, or just in case or the marks between words. For names beside which
 * any other is allowed, such as those of headers.
 */
export function onlyMisspelled(word: string, names: Iterable<string>): string | undefined {
  const lettersOf = (name: string): string => name.toLowerCase().replace(/[-_]/g, "")
  const digitsOf = (name: string): string => name.replace(/\D/g, "")
  const letters = lettersOf(word)
  const near = [...new Set(names)].filter(
    (name) => editDistance(letters, lettersOf(name), 2) < 2 && digitsOf(name) === digitsOf(word),
  )
  return near.length === 1 && letters.length > 3 ? near[0] : undefined
}

export function suggest(word: string, known: Iterable<string>): string | undefined {
  const best = didYouMean(word, known)
  return best === undefined ? undefined : `did you mean ${JSON.stringify(best)}?`
}

const MAX_LISTED = 20

/** Suggests the closest name. If none is close, lists the first names that `owner` has. */
export function suggestOrList(word: string, names: readonly string[], owner = "it"): string {
  if (names.length === 0) return `${owner} has none`
  const listed = names.slice(0, MAX_LISTED).join(", ")
  return suggest(word, names) ?? `${owner} has ${listed}${names.length > MAX_LISTED ? ", …" : ""}`
}

const MAX_SUGGESTED_WORDS = 1_000

/** Returns a caching version of `didYouMean`. After 1,000 words, it always returns undefined to stay fast. */
export function createSuggester(known: Iterable<string>): (word: string) => string | undefined {
  const names = [...known]
  const remembered = new Map<string, string | undefined>()
  return (word) => {
    if (!remembered.has(word) && remembered.size >= MAX_SUGGESTED_WORDS) return undefined
    return getOrCreate(remembered, word, () => suggest(word, names))
  }
}

/** Computes the optimal string alignment distance (insert, delete, replace, swap), up to `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  // Skips long strings, which are not misspellings and would need a huge table.
  if (a.length > 100 || b.length > 100) return a === b ? 0 : limit
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let value = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        value = Math.min(value, beforeLast[j - 2]! + 1)
      }
      row.push(value)
    }
    beforeLast = last
    last = row
  }
  return last[b.length]!
}
