// Masks secrets in JSON files and problems. The words of the format stay readable.

import {
  changeText,
  hints,
  stringEnd,
  anyValueFileShape,
  environmentSchemaShape,
  getOrCreate,
  maskProblem,
  savedRequestShape,
  workflowShape,
  type Problem,
  type TextChange,
  type Shape,
} from "@callsheet/format"
import type { Masker } from "./secrets-masker.ts"

/** Masks the literals in JSON text, which must be valid, and changes nothing else. */
export function maskJsonText(text: string, masker: Masker): string {
  const changes: TextChange[] = []
  let key = ""
  for (const { from, to } of literalsOf(text)) {
    const written = text.slice(from, to)
    const value = written.startsWith('"') ? (JSON.parse(written) as string) : written
    const isKey = isColonAt(text, to)
    if (isKey) key = value
    const shown = isKey
      ? masker.name(value)
      : isWordOf(key, value) || isPlainWord(written)
        ? value
        : masker.text(value)
    if (shown !== value) changes.push({ from, to, by: JSON.stringify(shown) })
  }
  return changeText(text, changes)
}

function isColonAt(text: string, from: number): boolean {
  const colon = /\s*:/y
  colon.lastIndex = from
  return colon.test(text)
}

/**
 * Yields the literals in text order, including keys. A regular expression would need a stack as deep as the longest
 * string.
 */
export function* literalsOf(
  text: string,
): Generator<{ readonly from: number; readonly to: number }, void, undefined> {
  const start = /"|[-+.0-9A-Za-z]+/g
  for (let found = start.exec(text); found !== null; found = start.exec(text)) {
    const from = found.index
    const to = found[0] === '"' ? stringEnd(text, from) : start.lastIndex
    yield { from, to }
    start.lastIndex = to
  }
}

/** Returns whether a literal is a boolean or null, which reveal nothing about a secret. */
export const isPlainWord = (text: string): boolean => text === "true" || text === "false" || text === "null"

/**
 * Masks messages and hints of problems. Doesn't change positions and file names. Drops excerpts, because the page shows
 * the code itself, and because code that is cut off may end inside a secret.
 */
export const maskProblems = (problems: readonly Problem[], masker: Masker): readonly Problem[] =>
  problems.map((problem) => ({
    ...maskProblem(problem, { text: (text) => maskText(text, masker) }),
    excerpt: undefined,
  }))

/** Masks a message. Words of the format at its end stay readable, even if a secret equals one of them. */
function maskText(text: string, masker: Masker): string {
  const end = text.length - ownWords(text).length
  return masker.text(text.slice(0, end)) + text.slice(end)
}

/** Returns the type or the choices at the end of a message, such as `; expected "halt" or "continue"`. */
function ownWords(text: string): string {
  const [list = ""] = /; expected (?:(?:, | or )?"[A-Za-z]+")+$/.exec(text) ?? []
  const words = [...list.matchAll(/"([A-Za-z]+)"/g)]
  if (words.length > 0) return words.every(([, word = ""]) => isFormatWord(word)) ? list : ""
  return Object.values(hints.scalar).find((each) => text.endsWith(each)) ?? ""
}

/** The words of reports. Like other words of the format, they stay readable even if a secret equals one of them. */
const reportWords = [
  "passed",
  "failed",
  "skipped",
  "error",
  "warning",
  "branch",
  "halted",
  "cancelled",
  "untranslated",
]
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"]

const words = new Map<string, Set<string>>()
for (const shape of [workflowShape, savedRequestShape, environmentSchemaShape, anyValueFileShape])
  addWords(shape, "", new Set())
add("version", ["1"])
add("method", methods)

const all: ReadonlySet<string> = new Set([...reportWords, ...[...words.values()].flatMap((of) => [...of])])

const isWordOf = (key: string, value: string): boolean => words.get(key)?.has(value) === true

export const isFormatWord = (text: string): boolean => all.has(text)

function add(key: string, values: readonly string[]): void {
  const known = getOrCreate(words, key, () => new Set())
  for (const value of values) known.add(value)
}

/** Adds the words of a shape. Visits each shape once, because blocks contain blocks. */
function addWords(shape: Shape, key: string, seen: Set<Shape>): void {
  if (shape.is === "enum") add(key, shape.values)
  if (seen.has(shape)) return
  seen.add(shape)
  if (shape.is === "array") addWords(shape.items(), key, seen)
  if (shape.is === "map") addWords(shape.values, key, seen)
  if (shape.is === "object")
    for (const [name, field] of Object.entries(shape.fields)) addWords(field.shape, name, seen)
  if (shape.is === "variant") {
    add(shape.tag, Object.keys(shape.variants))
    for (const each of Object.values(shape.variants)) addWords(each, key, seen)
  }
}
