// The path of an operation in a narrow place: where it is too long the middle goes, for the end tells it from its neighbours.

import { visibleText } from "../text/visible-text.ts"
import { splitPath } from "./split-path.ts"

export function PathLabel({ path }: { readonly path: string }) {
  const [head, tail] = splitPath(visibleText(path.slice(0, 400)))
  return (
    <bdi className="path-label" title={visibleText(path.slice(0, 2000))}>
      <span className="path-head">{head}</span>
      <span className="path-tail">{tail}</span>
    </bdi>
  )
}
