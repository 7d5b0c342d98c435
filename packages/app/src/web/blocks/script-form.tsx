// The form of a script block: the function that it calls.

import type { JsonObject } from "@callsheet/format"
import { NumberInput } from "./number-input.tsx"
import { ScriptFields } from "./script-fields.tsx"

export function ScriptForm({ block }: { readonly block: JsonObject }) {
  return (
    <>
      <ScriptFields script={block["script"]} context="ScriptContext" />
      <NumberInput
        label="Time-out"
        pointer={["timeoutMs"]}
        value={block["timeoutMs"]}
        placeholder="30000"
        unit="ms"
      />
    </>
  )
}
