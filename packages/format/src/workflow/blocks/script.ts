// The script block: calls a TypeScript function for its side effects.

import { object, required } from "../../shape/shape.ts"
import { commonFields, scriptShape, timeoutField, type BlockDefinition } from "./definition.ts"

export const scriptBlockShape = object({
  ...commonFields("script"),
  script: required(scriptShape, "The function."),
  timeoutMs: timeoutField,
})

export const script = {
  summary: "Calls a TypeScript function for its side effects.",
  shape: () => scriptBlockShape,
  childFields: [],
  result: "none",
  iterates: false,
  script: ({ script }) => script,
} satisfies BlockDefinition<"script">
