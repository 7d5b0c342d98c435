// The transform block: names values for reuse as `<id>.<outputName>`.

import { map, object, optional, string } from "../../shape/shape.ts"
import { commonFields, scriptShape, textStrings, timeoutField, type BlockDefinition } from "./definition.ts"

export const transformShape = object(
  {
    ...commonFields("transform"),
    transforms: optional(
      map(string()),
      "Output names and their paths. An output whose path doesn't resolve is left out.",
    ),
    script: optional(scriptShape, "A script that returns an object. Its keys become the outputs."),
    timeoutMs: timeoutField,
  },
  { rule: "exactlyOne", of: ["transforms", "script"] },
)

export const transform = {
  summary: "Names values for reuse.",
  shape: () => transformShape,
  childFields: [],
  result: "outputs",
  iterates: false,
  emptyList: ({ transforms }) =>
    transforms !== undefined && Object.keys(transforms).length === 0
      ? { field: "transforms", message: "it names no values" }
      : undefined,
  script: ({ script }) => script,
  strings: ({ transforms = {} }) => textStrings(transforms, ["transforms"], "path"),
} satisfies BlockDefinition<"transform">
