// Text from files: plain, isolated from the direction of the text around it, and cut if it is long.

import { visibleText, visibleLines } from "./visible-text.ts"
import { useState, type ReactNode } from "react"

/** More characters than any row can show. */
const MAX_LENGTH = 300

/** A single line. */
export function ShownText({ text }: { readonly text: string }) {
  return <bdi>{visibleText(text.length > MAX_LENGTH ? `${cut(text)}…` : text)}</bdi>
}

/** Never splits a surrogate pair. */
const cut = (text: string): string => text.slice(0, MAX_LENGTH).replace(/[\ud800-\udbff]$/, "")

const MAX_WHOLE = 600

interface LongTextProps {
  readonly text: string
  readonly show?: (text: string) => ReactNode
  /** The number of characters to show at first. */
  readonly max?: number
}

/** Several lines. Long text is cut until the user expands it. */
export function LongText({ text, show = plainLines, max = MAX_WHOLE }: LongTextProps) {
  const [isWhole, setWhole] = useState(false)
  if (text.length <= max || isWhole) return show(text)
  return (
    <>
      {show(`${text.slice(0, max).replace(/[\ud800-\udbff]$/, "")}…`)}{" "}
      <button type="button" className="quiet-button" onClick={() => setWhole(true)}>
        Show all {text.length.toLocaleString("en")} characters
      </button>
    </>
  )
}

const plainLines = (text: string): ReactNode => <bdi>{visibleLines(text)}</bdi>

/**
 * The path of an operation in a narrow column. A long path is shortened in the middle, because similar paths differ at
 * the end.
 */
export function PathLabel({ path }: { readonly path: string }) {
  const [head, tail] = splitPath(visibleText(path.slice(0, 400)))
  return (
    <bdi className="path-label" title={visibleText(path.slice(0, 2000))}>
      <span className="path-head">{head}</span>
      <span className="path-tail">{tail}</span>
    </bdi>
  )
}

/** A name in a narrow place. A long one is shortened in the middle, because similar names differ at the end. */
export function NameLabel({ name }: { readonly name: string }) {
  if (name.length <= 2 * nameTailLength) return <ShownText text={name} />
  const [head, tail] = splitName(visibleText(cut(name)))
  return (
    // An image with a label, because screen readers would read the halves as two words.
    <bdi role="img" aria-label={head + tail} className="path-label" title={visibleText(name.slice(0, 2000))}>
      <span className="path-head">{head}</span>
      <span className="path-tail">{tail}</span>
    </bdi>
  )
}

/** The length of the end of a name that always stays visible. */
const nameTailLength = 8

/** Never splits a surrogate pair, nor a letter and the mark that combines with it. */
function splitName(name: string): readonly [head: string, tail: string] {
  const from = name.length - nameTailLength
  const start = from + name.slice(from).search(/[^\udc00-\udfff\p{M}\u200d]/u)
  return [name.slice(0, start), name.slice(start)]
}

/** The maximum length of an end with more than one segment. */
const tailLength = 20

/** Splits a path into two parts: `head + tail` is the path. */
export function splitPath(path: string): readonly [head: string, tail: string] {
  let start = path.lastIndexOf("/")
  if (start <= 0) return ["", path]
  for (let next = path.lastIndexOf("/", start - 1); next > 0; next = path.lastIndexOf("/", next - 1)) {
    if (path.length - next > tailLength) break
    start = next
  }
  return [path.slice(0, start), path.slice(start)]
}
