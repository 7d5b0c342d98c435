// Where secrets stand in a text: all of them, in all their forms, those too that lie over one another.

import { FormTree } from "./form-tree.ts"
import { formsOf, textForm, type Form, type Range, type Writing } from "./forms.ts"

interface SecretFinder {
  /** In no order; they may overlap. */
  readonly ranges: (text: string) => readonly Range[]
  readonly occursIn: (text: string) => boolean
  /** Looks for one more, of 4 or more characters, from now on. */
  readonly add: (secret: string) => void
}

/** Of more secrets than this only the text is looked for, with its escapes: base64 takes ten times the memory. */
const MOST_WITH_ALL_FORMS = 1000
const MOST_CHARACTERS_WITH_ALL_FORMS = 4 * 1024 * 1024

export function createSecretFinder(): SecretFinder {
  const known = new Set<string>()
  let characters = 0
  const trees = new Map<Writing, FormTree>()
  const starts = createStarts()
  const find = (text: string, isOneEnough: boolean): readonly Range[] =>
    known.size > 0 && starts.mayHold(text) ? findIn(text, starts.pattern(), { trees, isOneEnough }) : []
  return {
    ranges: (text) => find(text, false),
    occursIn: (text) => find(text, true).length > 0,
    add: (secret) => {
      if (known.has(secret)) return
      known.add(secret)
      characters += secret.length
      const isFew = known.size <= MOST_WITH_ALL_FORMS && characters <= MOST_CHARACTERS_WITH_ALL_FORMS
      const forms = isFew ? formsOf(secret) : [textForm(secret)]
      for (const form of forms) {
        starts.add(form)
        treeOf(trees, form.writing).add(form)
      }
    },
  }
}

function treeOf(trees: Map<Writing, FormTree>, writing: Writing): FormTree {
  let tree = trees.get(writing)
  if (tree === undefined) {
    tree = new FormTree(writing)
    trees.set(writing, tree)
  }
  return tree
}

/** Finds all, or the first. */
function findIn(text: string, start: RegExp, { trees, isOneEnough }: Search): readonly Range[] {
  const found: Range[] = []
  start.lastIndex = 0
  for (let candidate = start.exec(text); candidate !== null; candidate = start.exec(text)) {
    const { index } = candidate
    for (const tree of trees.values()) tree.find(text, index, found)
    if (isOneEnough && found.length > 0) return found
    // Another may begin inside of this one.
    start.lastIndex = index + 1
  }
  return found
}

interface Search {
  readonly trees: ReadonlyMap<Writing, FormTree>
  readonly isOneEnough: boolean
}

interface Starts {
  /** Finds where a form may begin: the first two characters of each, as they are, and every escape. */
  readonly pattern: () => RegExp
  /** Most texts hold no secret: one look at them is all that they cost. */
  readonly mayHold: (text: string) => boolean
  readonly add: (form: Form) => void
}

/** Of a first character that so many others follow, any may. */
const MOST_SECONDS = 24

function createStarts(): Starts {
  const seconds = new Map<number, Set<number>>()
  let pattern: RegExp | undefined
  const compiled = (): RegExp => (pattern ??= startPattern(seconds))
  return {
    pattern: compiled,
    mayHold: (text) => {
      const start = compiled()
      start.lastIndex = 0
      return start.test(text)
    },
    add: ({ writing, pieces }) => {
      const [first, second] = Array.from(pieces.slice(0, 4)).slice(0, 2).map(writing.unitOf)
      for (const code of first?.firsts ?? []) {
        const next = seconds.get(code) ?? new Set()
        if (next.size > MOST_SECONDS) continue
        const before = next.size
        for (const other of second?.firsts ?? []) next.add(other)
        if (next.size > before || !seconds.has(code)) pattern = undefined
        seconds.set(code, next)
      }
    },
  }
}

function startPattern(seconds: ReadonlyMap<number, ReadonlySet<number>>): RegExp {
  const pairs = [...seconds]
    .filter(([code]) => isUnit(code))
    .map(([code, next]) => {
      // What follows the first half of a character is its other half, and no second unit.
      if (isHalf(code) || next.size > MOST_SECONDS) return escaped(code)
      return `${escaped(code)}[${[...next].filter(isUnit).map(escaped).join("")}${others}]`
    })
  return new RegExp(`[%&\\\\+]|${pairs.join("|")}`, "g")
}

/** What the second unit may begin with whatever it is: an escape, a separator. */
const others = String.raw`%&\\+\-_\r\n\0`

const isHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
const isUnit = (code: number): boolean => code <= 0xffff
const escaped = (code: number): string => `\\u${code.toString(16).padStart(4, "0")}`

/** The text with every range replaced; what overlaps is one. */
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
