// Form of script blocks: the function that they call.

import { FileCode } from "lucide-react"
import type { JsonObject } from "@callsheet/format"
import { ScriptFields, ScriptTimeout } from "./script-fields.tsx"
import { scriptSummary, type KindView } from "./kind-view.ts"

export const script: KindView = {
  Form: ScriptForm,
  icon: FileCode,
  summary: (block) => scriptSummary(block["script"]) ?? "",
  fresh: () => ({ script: { name: "", exportName: "" } }),
}

function ScriptForm({ block }: { readonly block: JsonObject }) {
  return (
    <>
      <ScriptFields script={block["script"]} context="ScriptContext" />
      <ScriptTimeout of={block} />
    </>
  )
}
