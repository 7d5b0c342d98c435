// The condition block: runs one of two branches.

import { isJsonArray } from "../../json/value.ts"
import { object, optional, required, type Shape } from "../../shape/shape.ts"
import type { Blocks } from "../types.ts"
import {
  assertionShape,
  assertionStrings,
  commonFields,
  noScript,
  scriptShape,
  timeoutField,
  type BlockDefinition,
} from "./definition.ts"

export const conditionShape = (blocks: Shape<Blocks>) =>
  object(
    {
      ...commonFields("condition"),
      if: optional(assertionShape, "The check as one assertion."),
      script: optional(scriptShape, "The check as a script that returns a boolean."),
      then: required(blocks, "Run when the check passes."),
      else: optional(blocks, "Run when it doesn't pass."),
      timeoutMs: timeoutField,
    },
    { rule: "exactlyOne", of: ["if", "script"] },
  )

export const condition = {
  summary: "Runs one branch when its check passes and another when it does not.",
  shape: conditionShape,
  childFields: ["then", "else"],
  result: "none",
  iterates: false,
  standIn: {
    fits: ({ then, else: otherwise }) => isJsonArray(then) || isJsonArray(otherwise),
    make: (id, _, list) => ({
      id,
      type: "condition",
      script: noScript,
      then: list("then"),
      else: list("else"),
    }),
  },
  script: ({ script }) => script,
  assertions: (block) =>
    block.if === undefined ? [] : [{ assertion: block.if, pointer: ["if"], role: "branch" }],
  strings: (block) => assertionStrings(block.if, ["if"]),
} satisfies BlockDefinition<"condition">
