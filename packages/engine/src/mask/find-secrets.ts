// Where secrets stand in a text: all of them, in all their forms, those too that lie over one another.

import { formsOf, type Form, type Range } from "./forms.ts"
import { escapedAt } from "./unit.ts"

export interface SecretFinder {
  /** In no order; they may overlap. */
  readonly ranges: (text: string) => readonly Range[]
  readonly occursIn: (text: string) => boolean
  /** Looks for one more, of 4 or more characters, from now on. */
  readonly add: (secret: string) => void
}

export function createSecretFinder(): SecretFinder {
  const forms: Form[] = []
  const known = new Set<string>()
  let index: FormIndex | undefined
  const indexed = (): FormIndex => (index ??= createIndex(forms))
  return {
    ranges: (text) => (forms.length > 0 && mayHold(text, indexed()) ? [...find(text, indexed())] : []),
    occursIn: (text) =>
      forms.length > 0 && mayHold(text, indexed()) && find(text, indexed()).next().done !== true,
    add: (secret) => {
      if (known.has(secret)) return
      known.add(secret)
      forms.push(...formsOf(secret))
      index = undefined
    },
  }
}

interface FormIndex {
  /** By what they begin with. */
  readonly forms: ReadonlyMap<number, readonly Form[]>
  /** Finds where one may begin: the first two characters of each form, as they are, and every escape. */
  readonly start: RegExp
}

function createIndex(forms: readonly Form[]): FormIndex {
  const byFirst = new Map<number, Form[]>()
  const seconds = new Map<number, Set<number>>()
  for (const form of forms) {
    const [first, second] = form.head
    for (const code of first?.firsts ?? []) {
      const known = byFirst.get(code)
      if (known === undefined) byFirst.set(code, [form])
      else known.push(form)
      const next = seconds.get(code) ?? new Set()
      for (const other of second?.firsts ?? []) next.add(other)
      seconds.set(code, next)
    }
  }
  const pairs = [...seconds]
    .filter(([code]) => isUnit(code))
    .map(([code, next]) => {
      // What follows the first half of a character is its other half, and no second unit.
      if (isHalf(code)) return escaped(code)
      return `${escaped(code)}[${[...next].filter(isUnit).map(escaped).join("")}${others}]`
    })
  return { forms: byFirst, start: new RegExp(`[%&\\\\+]|${pairs.join("|")}`, "g") }
}

/** What the second unit may begin with whatever it is: an escape, a separator. */
const others = String.raw`%&\\+\-_\r\n\0`

const isHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
const isUnit = (code: number): boolean => code <= 0xffff
const escaped = (code: number): string => `\\u${code.toString(16).padStart(4, "0")}`

/** Most texts hold no secret: one look at them is all that they cost. */
function mayHold(text: string, { start }: FormIndex): boolean {
  start.lastIndex = 0
  return start.test(text)
}

function* find(text: string, { forms, start }: FormIndex): Generator<Range, void> {
  start.lastIndex = 0
  for (let candidate = start.exec(text); candidate !== null; candidate = start.exec(text)) {
    const { index } = candidate
    yield* matches(text, index, forms.get(text.charCodeAt(index)))
    const escape = escapedAt(text, index)
    if (escape !== -1) yield* matches(text, index, forms.get(escape))
    // Another may begin inside of this one.
    start.lastIndex = index + 1
  }
}

function* matches(text: string, at: number, forms: readonly Form[] = []): Generator<Range, void> {
  for (const form of forms) {
    const range = form.match(text, at)
    if (range !== undefined) yield range
  }
}

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
