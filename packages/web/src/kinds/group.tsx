// The form of group blocks, which have no fields except their blocks.

import { Group } from "lucide-react"
import { isJsonArray } from "@callsheet/format"
import { count } from "../ui/formats.ts"
import type { KindView } from "./kind-view.ts"

export const group: KindView = {
  Form: GroupForm,
  icon: Group,
  summary: ({ blocks }) => (isJsonArray(blocks) ? count(blocks.length, "block") : ""),
  fresh: () => ({ blocks: [] }),
}

function GroupForm() {
  return (
    <p className="form-note">
      A group puts its blocks under one name. They run as if they were outside it, and other blocks read their
      results by their own ids.
    </p>
  )
}
