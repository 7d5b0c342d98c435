// Completes paths and placeholders: finds the name before the caret and its candidates. Pure.

import { formatPath, parsePath } from "@callsheet/format"
import type { VisibleName } from "@callsheet/language"
import { openTokens, type Reads } from "../../files/text/tokens-in.ts"
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
export async function complete(
  text: string,
  caret: number,
  { reads, roots }: { readonly reads: Reads; readonly roots: readonly Root[] },
): Promise<Suggestions> {
  const path = pathAt(text, caret, reads)
  if (path === undefined) return noSuggestions
  const root = rootOf(path.text, roots)
  const from = path.start
  const items =
    root === undefined ? rootItems(path.text, roots) : memberItems(path.text, root.name, await root.known())
  // A complete name needs no suggestion.
  const useful = items.length === 1 && items[0]?.text === path.text ? [] : items
  // Also replaces the rest of the name after the caret.
  const to = caret + (/^[\w-]*/.exec(text.slice(caret))?.[0].length ?? 0)
  const rest = text.slice(to)
  return {
    from,
    to,
    items: useful.slice(0, MAX_ITEMS).map((item) => (path.isToken ? closed(item, rest) : suggestionOf(item))),
  }
}

interface Item extends Suggestion {
  readonly isWhole: boolean
}

const suggestionOf = ({ text, note }: Suggestion): Suggestion => ({
  text,
  note: note === "" ? undefined : note,
})

function closed(item: Item, rest: string): Suggestion {
  const suggestion = suggestionOf(item)
  if (/^\s*\}\}/.test(rest)) return suggestion
  const insert = `${item.text}}}`
  return item.isWhole ? { ...suggestion, insert } : { ...suggestion, insert, caretBack: 2 }
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
  const holder = walk(base.slice(root.length), known)
  if (holder === undefined) return []
  return ranked(membersOf(holder), typed).map(({ name, known: member }) => ({
    text: `${base}${stepText(name)}`,
    note: describeKnown(member),
    isWhole: !hasMembers(member),
  }))
}

function stepText(name: string): string {
  const text = formatPath([name])
  return text.startsWith("[") ? text : `.${text}`
}

export function walk(steps: string, known: KnownValue): KnownValue | undefined {
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
