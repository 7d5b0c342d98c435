// The path of an operation in a narrow column. A long path is shortened in the middle, because similar paths differ at
// the end.

import { visibleText } from "./visible-text.ts"

export function PathLabel({ path }: { readonly path: string }) {
  const [head, tail] = splitPath(visibleText(path.slice(0, 400)))
  return (
    <bdi className="path-label" title={visibleText(path.slice(0, 2000))}>
      <span className="path-head">{head}</span>
      <span className="path-tail">{tail}</span>
    </bdi>
  )
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
