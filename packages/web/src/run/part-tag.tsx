// The part of a workflow that ran, if it wasn't all.

import type { RunPart } from "@callsheet/server/calls"
import { ShownText } from "../text/shown-text.tsx"

export function PartTag({ part }: { readonly part: RunPart | undefined }) {
  if (part === undefined) return null
  return (
    <span className="tag">
      {part.only === undefined ? "to " : "only "}
      <ShownText text={part.only === undefined ? part.until : part.only} />
    </span>
  )
}
