// A text file of the project, and the conversion of offsets in it (UTF-16 code units) to lines and columns (1-based).

import { createJsonLocator, createStringOffsets } from "./json/locate.ts"
import { once } from "./memo.ts"
import type { JsonPointer } from "./json/pointer.ts"
import type { Finding, Problem, Replacement } from "./problems.ts"

export interface SourceFile {
  /** The path from the project root, with `/`. */
  readonly file: string
  /** The text without a byte order mark. */
  readonly text: string
  /** The file in UTF-8. Set until the text is decoded. Reading `text` decodes it. */
  readonly bytes?: Uint8Array
}

/** Reads a text file by its path from the project root. Never reads a file outside the project. */
export type ReadFile = (path: string) => ReadFileResult

export type ReadFileResult =
  | { readonly ok: true; readonly value: SourceFile }
  | { readonly ok: false; readonly problem: Finding }

/** Makes a problem from a finding and its offset in the file, in UTF-16 code units. */
export function problemAtOffset(source: SourceFile, offset: number, finding: Finding): Problem {
  return problemAt(source, createLineFinder(source.text)(offset), finding)
}

/** Makes several problems like `problemAtOffset`, but computes line positions once. */
export function problemsAtOffsets(
  source: SourceFile,
  findings: readonly (Finding & { readonly offset: number })[],
): readonly Problem[] {
  const lineColumn = createLineFinder(source.text)
  return findings.map((finding) => problemAt(source, lineColumn(finding.offset), finding))
}

const problemAt = ({ file }: SourceFile, { line, column }: LineColumn, finding: Finding): Problem => {
  const { code, severity = "error", message, hint, excerpt } = finding
  const problem = { code, severity, message, hint, file, line, column }
  return excerpt === undefined ? problem : { ...problem, excerpt }
}

/**
 * Returns a function that makes problems at JSON pointers of one file, or `within` characters into a string. Computes
 * positions once, at the first problem.
 */
export function createProblemMaker(
  source: SourceFile,
): (pointer: JsonPointer, at: "key" | "value", finding: Finding, within?: number) => Problem {
  const locate = once(() => createJsonLocator(source.text))
  const lineColumn = createLineFinder(source.text)
  return (pointer, at, finding, within) => {
    const start = locate()(pointer, at)
    const isString = within !== undefined && source.text[start] === '"'
    const offset = isString ? createStringOffsets(source.text, start)(within) : start
    const problem = problemAt(source, lineColumn(offset), finding)
    const { replacement } = finding
    if (replacement !== undefined)
      replacements.set(problem, { ...replacement, source, pointer, within: within ?? 0 })
    return problem
  }
}

/** A replacement, and where it applies. */
export interface PlacedReplacement extends Replacement {
  readonly source: SourceFile
  readonly pointer: JsonPointer
  /** The index in the string of the path or placeholder. */
  readonly within: number
}

/** Kept beside the problems, so that no report or answer with problems contains them. */
const replacements = new WeakMap<Problem, PlacedReplacement>()

export const replacementOf = (problem: Problem): PlacedReplacement | undefined => replacements.get(problem)

/** Passes the replacement of a problem on to its masked version, unless the replacement itself contains a secret. */
export function keepReplacement(problem: Problem, masked: Problem, mask: (text: string) => string): Problem {
  const replacement = replacements.get(problem)
  if (replacement === undefined) return masked
  const { from, to, pointer } = replacement
  const texts = [from, to, ...pointer.map(String)]
  if (texts.every((text) => mask(text) === text)) replacements.set(masked, replacement)
  return masked
}

export interface LineColumn {
  readonly line: number
  readonly column: number
}

/** Returns a function that converts offsets in `text` to lines and columns. Reads the text once, at the first call. */
export function createLineFinder(text: string): (offset: number) => LineColumn {
  const find = once(() => lineStarts(text))
  return (offset) => {
    const starts = find()
    const at = Math.min(offset, text.length)
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (starts[middle]! <= at) low = middle
      else high = middle
    }
    return { line: low + 1, column: at - starts[low]! + 1 }
  }
}

export function createOffsetFinder(text: string): (place: LineColumn) => number {
  const starts = lineStarts(text)
  return ({ line, column }) => Math.min((starts[line - 1] ?? text.length) + column - 1, text.length)
}

/** Returns the offsets where lines start. LF, CRLF and lone CR end a line, as in editors. */
function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 10 || (unit === 13 && text.charCodeAt(at + 1) !== 10)) starts.push(at + 1)
  }
  return starts
}
