// Form of script blocks: the function that they call.

import type { JsonObject } from "@callsheet/format"
import { ScriptFields } from "../script-fields.tsx"
import { TimeoutInput } from "../number-input.tsx"
import { scriptSummary, type KindView } from "./kind-view.ts"

export const script: KindView = {
  Form: ScriptForm,
  summary: (block) => scriptSummary(block["script"]) ?? "",
  fresh: () => ({ script: { name: "", exportName: "" } }),
}

function ScriptForm({ block }: { readonly block: JsonObject }) {
  return (
    <>
      <ScriptFields script={block["script"]} context="ScriptContext" />
      <TimeoutInput of={block} />
    </>
  )
}
