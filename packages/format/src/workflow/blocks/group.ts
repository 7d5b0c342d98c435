// The group block: bundles blocks under one label in the same scope.

import { object, required, type Shape } from "../../shape/shape.ts"
import type { Blocks } from "../types.ts"
import { commonFields, type BlockDefinition } from "./definition.ts"

export const groupShape = (blocks: Shape<Blocks>) =>
  object({ ...commonFields("group"), blocks: required(blocks, "The nested blocks.") })

export const group = {
  summary: "Bundles blocks under one label.",
  shape: groupShape,
  childFields: ["blocks"],
  result: "none",
  iterates: false,
  standIn: {
    fits: () => false,
    make: (id, _, list) => ({ id, type: "group", blocks: list("blocks") }),
  },
} satisfies BlockDefinition<"group">
