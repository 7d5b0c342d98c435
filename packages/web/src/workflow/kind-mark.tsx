// The kind of a block, as its word.

import type { BlockKind } from "@callsheet/format"
import { visibleText } from "../text/visible-text.ts"

/** `type` is what the file says where the format knows no such kind. */
export function KindMark({
  kind,
  type = "",
}: {
  readonly kind: BlockKind | undefined
  readonly type?: string
}) {
  return (
    <span className={`kind-mark kind-${kind ?? "unknown"}`}>
      {kind ?? (type === "" ? "no type" : visibleText(type.slice(0, 12)))}
    </span>
  )
}
