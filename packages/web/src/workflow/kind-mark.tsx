// The kind of a block, as a word.

import type { BlockKind } from "@callsheet/format"
import { kindViewOf } from "../blocks/kinds/index.ts"
import { visibleText } from "../text/visible-text.ts"

/** If the kind is unknown, `type` is the text in the file. */
export function KindMark({
  kind,
  type = "",
}: {
  readonly kind: BlockKind | undefined
  readonly type?: string
}) {
  if (kind === undefined)
    return (
      <span className="kind-mark kind-unknown">
        {type === "" ? "no type" : visibleText(type.slice(0, 12))}
      </span>
    )
  const color = kindViewOf(kind)?.color
  return (
    <span className="kind-mark" style={color && { color: `var(--${color})` }}>
      {kind}
    </span>
  )
}
