// The kind of a block, as an icon. Its word is a tooltip, and is read out.

import type { BlockKind } from "@callsheet/format"
import { kindViews } from "../../kinds/index.ts"
import { visibleText } from "../../ui/visible-text.ts"

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
  const { icon: Icon, color } = kindViews[kind]
  return (
    <span className="kind-mark" title={kind} style={color && { color: `var(--${color})` }}>
      <Icon aria-hidden="true" />
      <span className="only-read">{kind} </span>
    </span>
  )
}
