// Finds secrets in texts that aren't events, in every encoding and without case, and tells which secret is where.

import { getOrCreate, urlCredentials } from "@callsheet/format"
import { createSecretFinder } from "./mask/find-secrets.ts"
import { ANYWHERE_FROM } from "./mask.ts"

type Range = readonly [from: number, to: number]

export interface FoundSecret {
  readonly from: number
  readonly to: number
  /** The index of the secret. */
  readonly secret: number
}

/** Returns a function that finds the secrets of 4 or more characters. The results are in order and don't overlap. */
export function createSecretSearch(secrets: readonly string[]): (text: string) => readonly FoundSecret[] {
  const forms = secrets.flatMap((secret, index) =>
    formsOf(secret).flatMap((text) => (text.length < ANYWHERE_FROM ? [] : { text, index })),
  )
  const find = createFinder(forms.map(({ text }) => text))
  // Most texts contain no secret, so each secret gets a search of its own only if one is found.
  const searches = new Map<number, (text: string) => readonly Range[]>()
  const overlaps = (index: number, text: string, [from, to]: Range): boolean => {
    const search = getOrCreate(searches, index, () => createFinder([forms[index]?.text ?? ""]))
    return search(text).some(([start, end]) => start < to && end > from)
  }
  const indexAt = (text: string, range: Range): number | undefined =>
    forms.find((_, index) => overlaps(index, text, range))?.index
  const plain = new Map(forms.toReversed().map(({ text, index }) => [fold(text), index]))
  return (text) =>
    joined(find(text)).map((range) => {
      const [from, to] = range
      const known = plain.get(fold(text.slice(from, to)))
      // The whole text may contain thousands of secrets.
      const start = Math.max(0, from - MARGIN)
      const near = (): number | undefined =>
        indexAt(text.slice(start, to + MARGIN), [from - start, to - start])
      return { from, to, secret: known ?? near() ?? indexAt(text, range) ?? 0 }
    })
}

/** The number of characters around a match that can decide how it is encoded. */
const MARGIN = 64

/** A request sends the lines of a secret and the credentials of a URL on their own. */
function formsOf(secret: string): readonly string[] {
  const lines = /[\r\n]/.test(secret) ? secret.split(/[\r\n]+/).filter((line) => line.trim().length >= 8) : []
  return [...new Set([secret, secret.trim(), ...lines, ...urlCredentials(secret)])]
}

function createFinder(texts: readonly string[]): (text: string) => readonly Range[] {
  // Base64 has another meaning without case, so a second search compares the text as it is.
  const [exact, folded] = [createSecretFinder(), createSecretFinder()]
  for (const text of texts) {
    exact.add(text)
    folded.add(fold(text))
  }
  return (text) => [...exact.ranges(text), ...folded.ranges(fold(text))]
}

/** Returns the text in lowercase, with every character at its index. */
function fold(text: string): string {
  const lower = text.toLowerCase()
  if (lower.length === text.length) return lower
  return text.replaceAll(/[^]/gu, (char) =>
    char.toLowerCase().length === char.length ? char.toLowerCase() : char,
  )
}

/** Joins ranges that overlap. */
function joined(ranges: readonly Range[]): readonly Range[] {
  const all: [number, number][] = []
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = all.at(-1)
    if (last !== undefined && from < last[1]) last[1] = Math.max(last[1], to)
    else all.push([from, to])
  }
  return all
}
