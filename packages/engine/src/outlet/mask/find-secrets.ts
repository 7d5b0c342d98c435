// Finds every secret in a string, in all encodings. Matches may overlap.

import { hintsOf, searchDigits } from "./digits.ts"
import {
  blanks,
  escapes,
  escapesByKind,
  formBreaks,
  lineBreaks,
  searchRewritten,
  separateEscapes,
  type Range,
  type Rewriting,
} from "./rewrite.ts"
import { SecretTree } from "./secret-tree.ts"

export function createSecretFinder() {
  const known = new Set<string>()
  const tree = new SecretTree()
  const hints = new SecretTree()
  let hasBlanks = false
  const ranges = (text: string): readonly Range[] => {
    if (known.size === 0) return []
    const budget = { left: 2_000_000 + 50 * text.length }
    const found = find(text, { tree, hints, hasBlanks, budget, ...ALL_ESCAPES, codings: MAX_CODINGS })
    return budget.left < 0 ? [[0, text.length]] : found
  }
  return {
    /** Returns the ranges of all matches, unordered. They may overlap. */
    ranges,
    occursIn: (text: string): boolean => ranges(text).length > 0,
    /** Adds a secret of 4 or more characters. */
    add: (secret: string): void => {
      if (known.has(secret)) return
      known.add(secret)
      hasBlanks ||= /[ \r\n]/.test(secret)
      if (!printableRun.test(secret)) for (const hint of hintsOf(secret)) hints.add(hint)
      for (const form of formsOf(secret)) tree.add(form)
    },
  }
}

/** Eight characters that stay printable in any escape. */
const printableRun = /[ -~]{8}/

/** `layers` is the maximum number of nested escapes: three, and those that the secret itself and UTF-8 add. */
const ALL_ESCAPES = { layers: 6, separate: separateEscapes }

/** The maximum depth of decoding. Credentials inside a configuration inside a token have depth 3. */
const MAX_CODINGS = 3

interface Search {
  readonly tree: SecretTree
  /** Digits of the secrets that don't consist of printable characters. */
  readonly hints: SecretTree
  readonly hasBlanks: boolean
  /** Limits the comparisons of characters. At the limit, the whole text is masked. */
  readonly budget: { left: number }
  readonly layers: number
  /** The kinds of escapes to undo separately, too, each once. */
  readonly separate: readonly Rewriting[]
  readonly codings: number
}

function find(text: string, search: Search): readonly Range[] {
  const { tree, budget, layers, codings } = search
  if (budget.left < 0) return []
  const inTree = (rest: string) => tree.rangesIn(rest, budget)
  const inDigits = (digits: string): readonly Range[] =>
    codings === 0
      ? []
      : searchDigits(digits, {
          search: (bytes) => findInBytes(bytes, { ...search, ...ALL_ESCAPES, codings: codings - 1 }),
          mayEncode: (run) => search.hints.rangesIn(run, budget).length > 0,
        })
  const all = [inTree(text), inDigits(text)]
  if (!special.test(text)) return all.flat()
  if (search.hasBlanks) all.push(searchRewritten(text, blanks, inTree))
  if (/[\r\n]/.test(text))
    all.push(
      searchRewritten(text, lineBreaks, (joined) => [inTree(joined), inDigits(joined)].flat()),
      searchRewritten(text, formBreaks, inDigits),
    )
  if (layers > 0) {
    const inner = { ...search, layers: layers - 1 }
    all.push(searchRewritten(text, escapes, (unescaped) => find(unescaped, inner)))
    for (const one of search.separate) {
      const separate = search.separate.filter((other) => other !== one)
      all.push(searchRewritten(text, one, (rest) => find(rest, { ...inner, separate })))
    }
  }
  return all.flat()
}

/** Matches a character that a rewriting may change. */
const special = /[\0\\%&~+\r\n\xc2-\xf4]/

/** Matches a byte that isn't UTF-8. */
const noText = /[\xc0\xc1\xf5-\xff]|[\xc2-\xf4](?![\x80-\xbf])|(?<![\x80-\xf4])[\x80-\xbf]/

/** Searches bytes, and undoes escapes only in the parts that may be text. */
function findInBytes(bytes: string, search: Search): readonly Range[] {
  const found = [...search.tree.rangesIn(bytes, search.budget)]
  let start = 0
  for (const text of bytes.split(noText)) {
    if (text.length >= MIN_ENCODED)
      for (const [from, to] of find(text, search)) found.push([start + from, start + to])
    start += text.length + 1
  }
  return found
}

/** The minimum length of an encoded secret. */
const MIN_ENCODED = 5

/** Returns a secret as it is found in a text whose escapes were undone, which may also undo what looks like one. */
function formsOf(secret: string): ReadonlySet<string> {
  const forms = new Set([secret, new TextDecoder().decode(Buffer.from(secret))])
  for (const { pattern, write } of [...escapesByKind, blanks])
    for (const form of Array.from(forms)) forms.add(form.replace(pattern, write))
  if (/[^\x01-\x7f]/.test(secret)) {
    const wide = Buffer.from(secret, "utf16le")
    forms.add(wide.toString("latin1"))
    forms.add(wide.swap16().toString("latin1"))
  }
  return forms
}

/** Replaces every range. Merges overlapping ranges. */
export function replaceRanges(text: string, ranges: readonly Range[], by: string): string {
  if (ranges.length === 0) return text
  let replaced = ""
  let end = 0
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (to <= end) continue
    if (from >= end) replaced += text.slice(end, from) + by
    end = to
  }
  return replaced + text.slice(end)
}
