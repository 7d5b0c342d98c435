// Form of group blocks, which have no fields except their blocks.

import { isJsonArray } from "@callsheet/format"
import { count } from "../../text/count.ts"
import type { KindView } from "./kind-view.ts"

export const group: KindView = {
  Form: GroupForm,
  summary: ({ blocks }) => (isJsonArray(blocks) ? count(blocks.length, "block") : ""),
  fresh: () => ({ blocks: [] }),
}

function GroupForm() {
  return (
    <p className="form-note">
      A group bundles its blocks under one name. They run as if they stood outside of it, and their results
      are read by their ids alone.
    </p>
  )
}
