// Form of assert blocks: assertions or a script.

import { isJsonArray, type JsonObject, type JsonValue } from "@callsheet/format"
import { count } from "../../ui/count.ts"
import { AssertionRows } from "../assertion-rows.tsx"
import { CheckPart } from "../check-part.tsx"
import { assertionSummary, freshCheck, scriptSummary, type KindView } from "./kind-view.ts"

export const assert: KindView = {
  Form: AssertForm,
  summary: ({ script, assertions }) => scriptSummary(script) ?? assertionsSummary(assertions),
  fresh: (surroundings) => ({
    assertions: surroundings.request === undefined ? [] : [freshCheck(surroundings)],
  }),
  looksBack: true,
  color: "good",
}

function assertionsSummary(assertions: JsonValue | undefined): string {
  if (!isJsonArray(assertions) || assertions.length === 0) return "no assertions"
  return assertions.length === 1 ? assertionSummary(assertions[0]) : count(assertions.length, "assertion")
}

function AssertForm({ block }: { readonly block: JsonObject }) {
  const { assertions } = block
  return (
    <CheckPart
      context="AssertContext"
      block={block}
      field="assertions"
      label="Check with"
      words="Assertions"
      empty={() => []}
    >
      {isJsonArray(assertions) ? <AssertionRows pointer={["assertions"]} assertions={assertions} /> : null}
    </CheckPart>
  )
}
