// The assert block: fails if an assertion fails or its script throws.

import { array, object, optional } from "../../shape/shape.ts"
import {
  assertionShape,
  assertionStrings,
  commonFields,
  scriptShape,
  timeoutField,
  type BlockDefinition,
} from "./definition.ts"

export const assertShape = object(
  {
    ...commonFields("assert"),
    assertions: optional(
      array(() => assertionShape),
      "Conditions that must all hold. callsheet evaluates and reports each of them.",
    ),
    script: optional(scriptShape, "A script that fails the block by throwing."),
    timeoutMs: timeoutField,
  },
  { rule: "exactlyOne", of: ["assertions", "script"] },
)

export const assert = {
  summary: "Fails when an assertion does not hold or its script throws.",
  shape: () => assertShape,
  childFields: [],
  result: "none",
  iterates: false,
  emptyList: ({ assertions }) =>
    assertions?.length === 0 ? { field: "assertions", message: "it checks nothing" } : undefined,
  script: ({ script }) => script,
  assertions: ({ assertions = [] }) =>
    assertions.map((assertion, index) => ({
      assertion,
      pointer: ["assertions", index],
      role: "assertion",
    })),
  strings: ({ assertions = [] }) =>
    assertions.flatMap((assertion, index) => assertionStrings(assertion, ["assertions", index])),
} satisfies BlockDefinition<"assert">
