// Where in a string each segment of a path stands, which may be a token's and may hold tokens itself.

import { HOLE } from "../names/name-pattern.ts"

export interface SegmentSpan {
  /** With a hole for each token, as `patternOf` writes them. */
  readonly segment: string
  /** Of what names it: of a quoted key, what stands between the quotes. */
  readonly from: number
  readonly to: number
  /** With brackets and quotes. */
  readonly outerFrom: number
  readonly outerTo: number
}

/** Where the path of the token stands whose `{{` is at `open`, blanks at both ends aside. */
export function tokenRange(
  text: string,
  open: number,
): { readonly from: number; readonly to: number } | undefined {
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

/** The segments of the path that stands between two offsets; undefined where it is none. */
export function segmentSpans(text: string, from: number, to: number): readonly SegmentSpan[] | undefined {
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

/** What stands between the quotes of a key, read as JSON. */
export function unquoted(inner: string): string | undefined {
  try {
    return JSON.parse(`"${inner}"`) as string
  } catch {
    return undefined
  }
}
