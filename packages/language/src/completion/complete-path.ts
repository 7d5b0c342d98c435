// Completes paths and placeholders: finds the name before the caret and its candidates. Pure.

import { formatPath, isArrayIndex, parsePath } from "@callsheet/format"
import type { VisibleName } from "../scope/places.ts"
import { openTokens, type Reads } from "./tokens-in.ts"
import { noSuggestions, type Suggestion, type Suggestions } from "./suggestion.ts"
import {
  describeKnown,
  hasMembers,
  memberOf,
  membersOf,
  type KnownValue,
  type Member,
} from "./known-value.ts"

export interface Root {
  readonly name: string
  readonly note: string
  readonly known: () => KnownValue | Promise<KnownValue>
  /** What the name is defined by. Absent for dynamic values and for `env`. */
  readonly definition?: Definition
}

export type Definition =
  | VisibleName
  | { readonly is: "variable"; readonly api: string; readonly name: string }

interface PathAtCaret {
  readonly start: number
  readonly text: string
  readonly isToken: boolean
}

/** Returns the path that ends at the caret, or contains it. */
export function pathAt(text: string, caret: number, reads: Reads): PathAtCaret | undefined {
  if (reads === "none") return undefined
  const before = text.slice(0, caret)
  const open = openTokens(before).at(-1)
  if (open !== undefined) {
    const inner = before.slice(open + 2)
    const blanks = inner.length - inner.trimStart().length
    return { start: open + 2 + blanks, text: inner.trimStart(), isToken: true }
  }
  return reads === "path" ? { start: 0, text: before, isToken: false } : undefined
}

/** The maximum number of suggestions, more than anyone reads. */
const MAX_ITEMS = 500

/** Returns suggestions for the caret position, best first. */
export async function completePath(
  text: string,
  caret: number,
  { reads, roots }: { readonly reads: Reads; readonly roots: readonly Root[] },
): Promise<Suggestions> {
  const path = pathAt(text, caret, reads)
  if (path === undefined) return noSuggestions
  const root = rootOf(path.text, roots)
  const from = path.start
  const near =
    root === undefined ? rootItems(path.text, roots) : memberItems(path.text, root.name, await root.known())
  // A name of a root may be the name of a value too. Below a root, deeper values only stand in for missing members.
  const isNear = root !== undefined && near.length > 0
  const items = isNear
    ? near
    : [...near, ...(await deepItems(path.text, root === undefined ? roots : [root]))]
  // A complete name needs no suggestion.
  const useful = items.length === 1 && items[0]?.text === path.text ? [] : items
  // Also replaces the rest of the name after the caret.
  const to = caret + (/^[\w-]*/.exec(text.slice(caret))?.[0].length ?? 0)
  const rest = text.slice(to)
  return {
    from,
    to,
    items: useful
      .slice(0, MAX_ITEMS)
      .map((item) => suggestionOf(item, path.isToken && !/^\s*\}\}/.test(rest))),
  }
}

interface Item extends Suggestion {
  readonly isWhole: boolean
}

/** A value that is used as a whole ends the placeholder. Other values go on with their members. */
function suggestionOf({ text, note, isWhole }: Item, closes: boolean): Suggestion {
  const own = { text, note: note === "" ? undefined : note }
  const end = closes ? "}}" : ""
  if (isWhole) return closes ? { ...own, insert: `${text}}}` } : own
  return { ...own, insert: `${text}.${end}`, caretBack: end.length, goesOn: true }
}

/**
 * Returns the longest root at the start of the path. An id may contain placeholders with dots, so the path can't simply
 * be split.
 */
export function rootOf(path: string, roots: readonly Root[]): Root | undefined {
  const found = roots.filter(({ name }) => path.startsWith(`${name}.`) || path.startsWith(`${name}[`))
  return found.reduce<Root | undefined>(
    (best, root) => (best === undefined || root.name.length > best.name.length ? root : best),
    undefined,
  )
}

function rootItems(typed: string, roots: readonly Root[]): readonly Item[] {
  return ranked(roots, typed).map(({ name, note }) => ({
    text: name,
    note,
    isWhole: note !== resultNote && note !== environmentNote,
  }))
}

/**
 * Marks the results of blocks. Completion continues with their members: a placeholder for a whole result would insert
 * the whole response.
 */
export const resultNote = "result"
export const environmentNote = "environment variables by API"

function memberItems(path: string, root: string, known: KnownValue): readonly Item[] {
  const cut = Math.max(path.lastIndexOf("."), path.lastIndexOf("["))
  const base = path.slice(0, cut)
  const typed = path.slice(cut + 1).replace(/^"|"?\]?$/g, "")
  const holder = walkKnown(base.slice(root.length), known)
  if (holder === undefined) return []
  return ranked(membersOf(holder), typed).map(({ name, known: member }) => ({
    text: `${base}${stepText(name)}`,
    note: describeKnown(member),
    isWhole: !hasMembers(member),
  }))
}

/** Shorter texts would match almost every value. */
const MIN_DEEP = 2
/** More than any document needs, so that a hostile one can't fill the memory. */
const MAX_DEPTH = 6
const MAX_PATHS = 3_000
/** The best of them, more than anyone reads. */
const MAX_DEEP = 50

/** Finds values at any depth of all roots, whose path is like the text. Best first, then shortest. */
async function deepItems(typed: string, roots: readonly Root[]): Promise<readonly Item[]> {
  if (typed.length < MIN_DEEP) return []
  const known = await Promise.all(roots.map(async (root) => ({ text: root.name, known: await root.known() })))
  const word = typed.toLowerCase()
  return deepPaths(known)
    .map((path) => ({ ...path, rank: rankOf(path, word) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .toSorted((one, other) => one.rank - other.rank || one.text.length - other.text.length)
    .slice(0, MAX_DEEP)
    .map(({ text, known: value }) => ({ text, note: describeKnown(value), isWhole: !hasMembers(value) }))
}

interface DeepPath extends Member {
  readonly text: string
}

/** Returns the paths below the roots, level by level. Of an array, only the first item. */
function deepPaths(roots: readonly Omit<DeepPath, "name">[]): readonly DeepPath[] {
  const found: DeepPath[] = []
  let level: readonly Omit<DeepPath, "name">[] = roots
  for (let depth = 0; depth < MAX_DEPTH && found.length < MAX_PATHS; depth++) {
    const next = level.flatMap(({ text, known }) =>
      membersOf(known)
        .filter(({ name }) => !isArrayIndex(name) || name === "0")
        .map((member) => ({ ...member, text: `${text}${stepText(member.name)}` })),
    )
    const kept = next.slice(0, MAX_PATHS - found.length)
    found.push(...kept)
    level = kept
  }
  return found
}

const NO_MATCH = 3

/** The name counts most. A longer text also matches letters of the path in their order, up to the name. */
function rankOf({ name, text }: DeepPath, word: string): number {
  const lower = name.toLowerCase()
  if (lower.startsWith(word)) return 0
  if (lower.includes(word)) return 1
  return word.length > MIN_DEEP && lower.includes(word.at(-1) ?? "") && isSpread(word, text.toLowerCase())
    ? 2
    : NO_MATCH
}

/** Returns whether the letters of a word are in a text in their order. */
function isSpread(word: string, text: string): boolean {
  let at = 0
  for (const letter of word) {
    at = text.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}

function stepText(name: string): string {
  const text = formatPath([name])
  return text.startsWith("[") ? text : `.${text}`
}

export function walkKnown(steps: string, known: KnownValue): KnownValue | undefined {
  if (steps === "") return known
  const parsed = parsePath(`x${steps}`)
  return parsed.ok ? parsed.segments.slice(1).reduce(memberOf, known) : undefined
}

/** Returns prefix matches first, then other matches. */
function ranked<T extends Pick<Member, "name">>(members: readonly T[], typed: string): readonly T[] {
  const word = typed.toLowerCase()
  const rank = ({ name }: T): number => {
    const lower = name.toLowerCase()
    return lower.startsWith(word) ? 0 : lower.includes(word) ? 1 : 2
  }
  return [0, 1].flatMap((wanted) => members.filter((member) => rank(member) === wanted))
}
