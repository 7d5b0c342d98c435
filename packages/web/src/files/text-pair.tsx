// Two different texts in two columns. Marks the words that differ. Long texts show the part around their first
// difference.

import { differenceWindows, type TextWindow } from "@callsheet/format"
import { useMemo, useState, type ReactNode } from "react"
import { visibleLines } from "../ui/visible-text.ts"
import { wordParts, type WordPart } from "./text/diff-lines.ts"

/** Longer texts are cut until the user expands them. */
const MAX_SHOWN = 400

/** In both texts together. */
const SHORT = 100

interface Cut {
  readonly parts: readonly WordPart[]
  readonly window: TextWindow
}

interface TextPairProps {
  readonly before: string
  readonly after: string
  /** Renders both sides. */
  readonly children: (before: ReactNode, after: ReactNode) => ReactNode
}

export function TextPair({ before, after, children }: TextPairProps) {
  const [isWhole, setWhole] = useState(false)
  const sides = useMemo(() => {
    const windows = isWhole
      ? ([wholeOf(before), wholeOf(after)] as const)
      : differenceWindows(before, after, MAX_SHOWN)
    const [one, other] = windows
    const parts = partsOf(one.text, other.text)
    return {
      before: { parts: withoutTail(parts.before, one), window: one },
      after: { parts: withoutTail(parts.after, other), window: other },
    }
  }, [before, after, isWhole])
  const more = (text: string, { window }: Cut): ReactNode =>
    window.isCutBefore || window.isCutAfter ? (
      <button type="button" className="quiet-button" onClick={() => setWhole(true)}>
        Show all {text.length.toLocaleString("en")} characters
      </button>
    ) : null
  return children(
    <>
      <Side {...sides.before} side="removed" />
      {more(before, sides.before)}
    </>,
    <>
      <Side {...sides.after} side="added" />
      {more(after, sides.after)}
    </>,
  )
}

/** If the texts are cut, one may show a few more letters at its end. They aren't a difference. */
function withoutTail(parts: readonly WordPart[], { isCutAfter }: TextWindow): readonly WordPart[] {
  const last = parts.at(-1)
  if (!isCutAfter || last?.isOwn !== true || parts.filter(({ isOwn }) => isOwn).length < 2) return parts
  return [...parts.slice(0, -1), { ...last, isOwn: false }]
}

/** Short texts with little in common have no marks, because both differ as a whole. */
function partsOf(before: string, after: string) {
  const words = wordParts(before, after)
  const hasMarks = [...words.before, ...words.after].some(({ isOwn }) => isOwn)
  return hasMarks || before.length + after.length < SHORT ? words : middleParts(before, after)
}

/** Marks everything from the first to the last difference, if the texts are too long or too different for words. */
function middleParts(before: string, after: string) {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const split = (text: string): readonly WordPart[] => [
    { text: text.slice(0, start), isOwn: false },
    { text: text.slice(start, text.length - end), isOwn: true },
    { text: text.slice(text.length - end), isOwn: false },
  ]
  return { before: split(before), after: split(after) }
}

const wholeOf = (text: string): TextWindow => ({ text, isCutBefore: false, isCutAfter: false })

function Side({ parts, window, side }: Cut & { readonly side: "removed" | "added" }) {
  return (
    <bdi className={`pair-text pair-${side}`}>
      {window.isCutBefore ? "…" : ""}
      {parts.map(({ text, isOwn }, index) =>
        isOwn ? (
          <mark key={index} className="diff-word">
            {visibleLines(text)}
          </mark>
        ) : (
          visibleLines(text)
        ),
      )}
      {window.isCutAfter ? "…" : ""}
    </bdi>
  )
}
