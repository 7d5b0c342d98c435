// Where a string reads variables: in its tokens, nested ones too, and as a path.

import {
  type LiveString,
  parsePathOnce,
  parseTemplateOnce,
  type TemplatePart,
  tokensOf,
} from "@callsheet/format"
import { HOLE, mayMeet, patternOf } from "../names/name-pattern.ts"
import type { VariableReading } from "../types/static-scope.ts"

type ReadPath = (parts: readonly TemplatePart[]) => VariableReading | undefined

export interface Variable {
  readonly api: string
  readonly name: string
}

export interface VariableUse {
  readonly span: SegmentSpan
  /** `plain`: by its name alone. `env`: by `env.<api>.<name>`. */
  readonly by: "plain" | "env"
}

export interface FoundUses {
  readonly uses: readonly VariableUse[]
  /** Something may read it too: what a token gives decides, or whether a block has run, or it is written as nobody does. */
  readonly isDoubtful: boolean
}

/** Finds where a string reads the variable. One that is malformed reads nothing. */
export function findUses(
  { text, is }: Pick<LiveString, "text" | "is">,
  variable: Variable,
  read: ReadPath,
): FoundUses {
  const template = parseTemplateOnce(text)
  if (!template.ok) return { uses: [], isDoubtful: false }
  const paths = tokensOf(template.parts)
    .filter(({ inner: [first] }) => typeof first !== "string" || !first.startsWith("$"))
    .map(({ inner, offset }): Path => ({ parts: inner, range: tokenRange(text, offset) }))
  if (is === "path") paths.push({ parts: template.parts, range: { from: 0, to: text.length } })
  const found = paths.map((path) => {
    const reading = read(path.parts)
    return reading && isOf(reading, variable) ? useOf(text, path, reading) : undefined
  })
  return {
    uses: found.filter((use) => typeof use === "object"),
    isDoubtful: found.includes("doubtful"),
  }
}

interface Path {
  readonly parts: readonly TemplatePart[]
  readonly range: { readonly from: number; readonly to: number } | undefined
}

function useOf(text: string, { parts, range }: Path, reading: VariableReading): VariableUse | "doubtful" {
  const spans = range && segmentSpans(text, range.from, range.to)
  const span = spans?.[reading.segment]
  if (!reading.isSure || span === undefined || !isSamePath(spans ?? [], parts)) return "doubtful"
  return { span, by: reading.segment === 0 ? "plain" : "env" }
}

/** Where it is not sure, the names may come to be those of the variable. */
const isOf = ({ api, name, isSure }: VariableReading, variable: Variable): boolean =>
  isSure
    ? api === variable.api && name === variable.name
    : mayMeet(api, variable.api) && mayMeet(name, variable.name)

/** The spans are made from the text, what a path means is told by its parts: they must agree. */
function isSamePath(spans: readonly SegmentSpan[], parts: readonly TemplatePart[]): boolean {
  const parsed = parsePathOnce(patternOf(parts))
  return (
    parsed.ok &&
    parsed.segments.length === spans.length &&
    parsed.segments.every((segment, at) => segment === spans[at]?.segment)
  )
}

interface SegmentSpan {
  /** With a hole for each token, as `patternOf` writes them. */
  readonly segment: string
  /** The name's place: for a quoted key, the text between the quotes. */
  readonly from: number
  readonly to: number
  readonly outerFrom: number
  readonly outerTo: number
}

function tokenRange(text: string, open: number): { readonly from: number; readonly to: number } | undefined {
  const end = tokenEnd(text, open)
  if (end === undefined) return undefined
  let [from, to] = [open + 2, end - 2]
  while (from < to && text[from]?.trim() === "") from++
  while (to > from && text[to - 1]?.trim() === "") to--
  return { from, to }
}

/** Behind the `}}` of the token whose `{{` is at `open`. Escapes are not looked at: who asks holds the segments against the path. */
function tokenEnd(text: string, open: number): number | undefined {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text.startsWith("{{", at)) {
      depth++
      at++
    } else if (text.startsWith("}}", at)) {
      depth--
      at++
      if (depth === 0) return at + 1
    }
  }
  return undefined
}

function segmentSpans(text: string, from: number, to: number): readonly SegmentSpan[] | undefined {
  const spans: SegmentSpan[] = []
  let at = from
  while (at < to) {
    const span = segmentAt(text, at, to)
    if (span === undefined || span.outerTo > to) return undefined
    spans.push(span)
    at = span.outerTo
    if (text[at] === ".") at++
  }
  return spans
}

/** The segment that begins at `at`: up to the next step, or to the `}}` of a token that `at` is in. */
export const segmentAt = (text: string, at: number, end = text.length): SegmentSpan | undefined =>
  text[at] === "[" ? bracketAt(text, at) : nameAt(text, at, end)

function nameAt(text: string, from: number, end: number): SegmentSpan | undefined {
  let segment = ""
  let at = from
  while (at < end && text[at] !== "." && text[at] !== "[" && !text.startsWith("}}", at)) {
    if (text.startsWith("{{", at)) {
      const behind = tokenEnd(text, at)
      if (behind === undefined) return undefined
      segment += HOLE
      at = behind
    } else segment += text[at++] ?? ""
  }
  return at === from ? undefined : { segment, from, to: at, outerFrom: from, outerTo: at }
}

function bracketAt(text: string, open: number): SegmentSpan | undefined {
  const isQuoted = text[open + 1] === '"'
  const from = open + (isQuoted ? 2 : 1)
  let to = from
  while (to < text.length && text[to] !== (isQuoted ? '"' : "]")) to += isQuoted && text[to] === "\\" ? 2 : 1
  const outerTo = to + (isQuoted ? 2 : 1)
  if (text[outerTo - 1] !== "]") return undefined
  const inner = text.slice(from, to)
  const segment = inner.includes("{{") ? HOLE : isQuoted ? unquoted(inner) : inner
  return segment === undefined ? undefined : { segment, from, to, outerFrom: open, outerTo }
}

export function unquoted(inner: string): string | undefined {
  try {
    return JSON.parse(`"${inner}"`) as string
  } catch {
    return undefined
  }
}
