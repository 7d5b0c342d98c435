// Script: calls a TypeScript function for its side effects.

import { object, required } from "../../shape/shape.ts"
import type { ScriptBlock } from "../types.ts"
import {
  commonFields,
  commonStrings,
  none,
  scriptShape,
  scriptStrings,
  timeoutField,
  type BlockDefinition,
} from "./definition.ts"

export const script: BlockDefinition<"script"> = {
  summary: "Calls a TypeScript function for its side effects.",
  shape: () =>
    object<ScriptBlock>({
      ...commonFields("script"),
      script: required(scriptShape, "The function."),
      timeoutMs: timeoutField,
    }),
  children: none,
  apis: none,
  scripts: (block) => [block.script],
  assertions: none,
  strings: (block) => [...commonStrings(block), ...scriptStrings(block.script)],
}
