// Form of condition blocks: the check that selects the branch.

import { Split } from "lucide-react"
import type { JsonObject } from "@callsheet/format"
import { AssertionFields, useNewAssertion } from "../forms/assertion-fields.tsx"
import { CheckPart } from "./check-part.tsx"
import { assertionSummary, freshCheck, scriptSummary, type KindView } from "./kind-view.ts"

export const condition: KindView = {
  Form: ConditionForm,
  icon: Split,
  summary: (block) => `if ${scriptSummary(block["script"]) ?? assertionSummary(block["if"])}`,
  fresh: (surroundings) => ({ if: freshCheck(surroundings), then: [] }),
  color: "warning",
}

function ConditionForm({ block }: { readonly block: JsonObject }) {
  const newAssertion = useNewAssertion()
  return (
    <CheckPart
      context="ConditionContext"
      block={block}
      field="if"
      label="Decide with"
      words="Assertion"
      empty={newAssertion}
    >
      <AssertionFields pointer={["if"]} value={block["if"]} name="Check" />
    </CheckPart>
  )
}
