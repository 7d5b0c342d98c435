// The form of an assert block.

import { isJsonArray, type JsonObject } from "@callsheet/format"
import { AssertionRows } from "./assertion-rows.tsx"
import { CheckPart } from "./check-part.tsx"

export function AssertForm({ block }: { readonly block: JsonObject }) {
  const { assertions } = block
  return (
    <CheckPart
      context="AssertContext"
      block={block}
      field="assertions"
      label="Passes by"
      words="Assertions"
      empty={() => []}
    >
      {isJsonArray(assertions) ? <AssertionRows pointer={["assertions"]} assertions={assertions} /> : null}
    </CheckPart>
  )
}
