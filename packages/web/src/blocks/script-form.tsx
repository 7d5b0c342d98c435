// The form of a script block: the function that it calls.

import type { JsonObject } from "@callsheet/format"
import { ScriptFields } from "./script-fields.tsx"
import { TimeoutInput } from "./timeout-input.tsx"

export function ScriptForm({ block }: { readonly block: JsonObject }) {
  return (
    <>
      <ScriptFields script={block["script"]} context="ScriptContext" />
      <TimeoutInput of={block} />
    </>
  )
}
