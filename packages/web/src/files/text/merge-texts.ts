// Merges two changes of a file by lines, or by the structure of its JSON. Offers no result with new errors. Pure.

import { hunksBetween, linesOf, type Hunk, type LineRange } from "./diff-lines.ts"
import {
  isEqual,
  isJsonArray,
  isJsonObject,
  parseEdited,
  type JsonPointer,
  type JsonValue,
  type Problem,
  valueAt,
} from "@callsheet/format"
import { TextEdit } from "./text-edit.ts"

/** Returns the merged text. Undefined if both sides changed the same or adjacent lines in different ways. */
export function mergeTexts(base: string, mine: string, theirs: string): string | undefined {
  const lines = { base: linesOf(base), mine: linesOf(mine), theirs: linesOf(theirs) }
  const own = hunksBetween(lines.base, lines.mine).map((hunk) => changeOf(hunk, lines.mine))
  const other = hunksBetween(lines.base, lines.theirs).map((hunk) => changeOf(hunk, lines.theirs))
  const changes = [...own]
  for (const change of other) {
    const touched = own.filter(({ range }) => touches(range, change.range))
    if (touched.length === 0) changes.push(change)
    else if (touched.length > 1 || !isSameChange(touched[0], change)) return undefined
  }
  return applied(
    lines.base,
    changes.toSorted((a, b) => a.range.from - b.range.from),
  )
}

/** Returns `before` with some hunks of `after`. */
export function chooseHunks(
  before: readonly string[],
  after: readonly string[],
  { hunks, chosen }: { readonly hunks: readonly Hunk[]; readonly chosen: ReadonlySet<number> },
): string {
  return applied(
    before,
    hunks.filter((_, index) => chosen.has(index)).map((hunk) => changeOf(hunk, after)),
  )
}

/** Returns the indexes of the hunks in which `after` differs from `base`. The other ones are changes of `before` only. */
export function ownHunks(
  { after, hunks }: { readonly after: readonly string[]; readonly hunks: readonly Hunk[] },
  base: string | undefined,
): ReadonlySet<number> {
  const own = base === undefined ? undefined : hunksBetween(linesOf(base), after)
  return new Set(
    [...hunks.keys()].filter(
      (index) => own === undefined || own.some((hunk) => touches(hunk.after, hunks[index]!.after)),
    ),
  )
}

interface LineChange {
  readonly range: LineRange
  readonly content: string
}

const changeOf = ({ before, after }: Hunk, lines: readonly string[]): LineChange => ({
  range: before,
  content: lines.slice(after.from, after.to).join(""),
})

/** Returns true for adjacent changes too, because the order of two insertions is unknown. */
const touches = (a: LineRange, b: LineRange): boolean => a.from <= b.to && b.from <= a.to

const isSameChange = (a: LineChange | undefined, b: LineChange): boolean =>
  a?.range.from === b.range.from && a.range.to === b.range.to && a.content === b.content

function applied(lines: readonly string[], changes: readonly LineChange[]): string {
  const parts: string[] = []
  let at = 0
  for (const { range, content } of changes) {
    parts.push(lines.slice(at, range.from).join(""), content)
    at = range.to
  }
  return parts.join("") + lines.slice(at).join("")
}

export interface Versions<T> {
  readonly base: T
  readonly mine: T
  readonly theirs: T
}

/** Each level is compared again, so deeper changes take too long. */
const MAX_DEPTH = 100

/** Returns the merged text. Undefined if the changes overlap, or if only the merged text has errors. */
export function mergeFiles(
  versions: Versions<string>,
  problemsOf: (text: string) => readonly Problem[],
): string | undefined {
  const errorsOf = (text: string): readonly string[] =>
    problemsOf(text).flatMap(({ severity, code }) => (severity === "error" ? [code] : []))
  const known = new Set([versions.mine, versions.theirs].flatMap(errorsOf))
  const isSound = (merged: string | undefined): merged is string =>
    merged !== undefined && errorsOf(merged).every((code) => known.has(code))
  const byLines = mergeTexts(versions.base, versions.mine, versions.theirs)
  if (isSound(byLines)) return byLines
  const byStructure = mergeJson(versions)
  return isSound(byStructure) ? byStructure : undefined
}

/** Applies my changes of values to their text. Undefined if both changed a value, or if a text is not JSON. */
function mergeJson({ base, mine, theirs }: Versions<string>): string | undefined {
  const [from, own, other] = [base, mine, theirs].map((text) => parseEdited(text))
  if (from?.ok !== true || own?.ok !== true || other?.ok !== true) return undefined
  const changes = changesOf({ base: from.value, mine: own.value, theirs: other.value })
  return changes?.reduce(
    (edit, { pointer, value }) => (value === undefined ? edit.unset(pointer) : edit.set(pointer, value)),
    new TextEdit(theirs, []),
  ).text
}

interface Change {
  readonly pointer: JsonPointer
  /** Undefined if the member was removed. */
  readonly value: JsonValue | undefined
}

/** Returns my changes. Undefined if they overlap with theirs. Lists are merged only if their lengths are equal. */
function changesOf(versions: Versions<JsonValue | undefined>): readonly Change[] | undefined {
  const changes: Change[] = []
  const open: { readonly pointer: JsonPointer; readonly versions: typeof versions }[] = [
    { pointer: [], versions },
  ]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { pointer, versions: here } = next
    const { base, mine, theirs } = here
    if (isSame(base, mine) || isSame(mine, theirs)) continue
    if (isSame(base, theirs)) {
      changes.push({ pointer, value: mine })
      continue
    }
    const steps = commonSteps(here)
    if (steps === undefined || pointer.length >= MAX_DEPTH) return undefined
    for (const step of steps) {
      const [before, own, other] = [base, mine, theirs].map((value) => valueAt(value, [step]))
      open.push({ pointer: [...pointer, step], versions: { base: before, mine: own, theirs: other } })
    }
  }
  return changes
}

function commonSteps({
  base,
  mine,
  theirs,
}: Versions<JsonValue | undefined>): readonly (string | number)[] | undefined {
  if (isJsonObject(base) && isJsonObject(mine) && isJsonObject(theirs))
    return [...new Set([...Object.keys(base), ...Object.keys(mine), ...Object.keys(theirs)])]
  const lists = [base, mine, theirs].map((value) => (isJsonArray(value) ? value.length : -1))
  const [length = -1] = lists
  return length >= 0 && lists.every((other) => other === length) ? [...Array(length).keys()] : undefined
}

const isSame = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  a === undefined || b === undefined ? a === b : isEqual(a, b)
