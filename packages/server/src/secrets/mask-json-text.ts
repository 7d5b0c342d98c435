// Masks secrets in JSON files and problems, and keeps the format's own words.

import { changeText, hints, stringEnd, type Problem, type TextChange } from "@callsheet/format"
import { isFormatWord, isWordOf } from "./format-words.ts"
import type { Masker } from "./secrets-masker.ts"

/** Every other byte is kept. The text must be well-formed. */
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
 * Yields literals in text order, names of members included. A regular expression would need a stack as deep as the longest
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

/** Booleans and null reveal nothing about a secret. */
export const isPlainWord = (text: string): boolean => text === "true" || text === "false" || text === "null"

/** Positions and file names are not masked. */
export const maskProblems = (problems: readonly Problem[], masker: Masker): readonly Problem[] =>
  problems.map((problem) => ({
    ...problem,
    message: maskText(problem.message, masker),
    ...(problem.hint === undefined ? {} : { hint: maskText(problem.hint, masker) }),
  }))

/** Keeps the format's own words at the end, even if a secret equals one of them. */
function maskText(text: string, masker: Masker): string {
  const end = text.length - ownWords(text).length
  return masker.text(text.slice(0, end)) + text.slice(end)
}

/** Returns the type or the choices at the end: `; expected "halt" or "continue"`. */
function ownWords(text: string): string {
  const [list = ""] = /; expected (?:(?:, | or )?"[A-Za-z]+")+$/.exec(text) ?? []
  const words = [...list.matchAll(/"([A-Za-z]+)"/g)]
  if (words.length > 0) return words.every(([, word = ""]) => isFormatWord(word)) ? list : ""
  return Object.values(hints.scalar).find((each) => text.endsWith(each)) ?? ""
}
