// Group: bundles blocks under one label, without a scope of its own.

import { object, required } from "../../shape/shape.ts"
import type { GroupBlock } from "../types.ts"
import { commonFields, commonStrings, none, type BlockDefinition } from "./definition.ts"

export const group: BlockDefinition<"group"> = {
  summary: "Bundles blocks under one label.",
  shape: (blocks) =>
    object<GroupBlock>({ ...commonFields("group"), blocks: required(blocks, "The nested blocks.") }),
  children: (block) => [{ field: "blocks", blocks: block.blocks }],
  apis: none,
  scripts: none,
  assertions: none,
  strings: commonStrings,
}
