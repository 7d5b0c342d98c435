// Loop: repeats its blocks by count, over an array, or until a check passes.

import { enumOf, milliseconds, number, object, optional, required, string } from "../../shape/shape.ts"
import { objectToId } from "../names.ts"
import type { LoopBlock } from "../types.ts"
import {
  assertionShape,
  assertionStrings,
  commonFields,
  commonStrings,
  none,
  scriptShape,
  scriptStrings,
  timeoutField,
  type BlockDefinition,
} from "./definition.ts"

export const loop: BlockDefinition<"loop"> = {
  summary: "Repeats its blocks.",
  shape: (blocks) =>
    object<LoopBlock>(
      {
        ...commonFields("loop"),
        mode: required(enumOf("times", "forEach", "until"), "How often the blocks run."),
        count: optional(number({ integer: true, minimum: 0 }), "Iterations of `times`."),
        source: optional(string(), "Path of the array that `forEach` walks."),
        until: optional(assertionShape, "Tested after each iteration; the loop stops when it passes."),
        script: optional(scriptShape, "Instead of `until`: a script that returns a boolean."),
        maxIterations: optional(number({ integer: true, minimum: 1 }), "Cap of `until`; default 100."),
        delayMs: optional(milliseconds(false), "Wait between the iterations of `until`, in milliseconds."),
        timeoutMs: timeoutField,
        iteratorVar: optional(string(objectToId), "The name by which nested blocks read the item or index."),
        execution: optional(enumOf("sequential", "parallel"), "Default `sequential`."),
        blocks: required(blocks, "The nested blocks."),
      },
      {
        rule: "byValue",
        field: "mode",
        cases: {
          times: { requires: ["count"], allows: ["execution"] },
          forEach: { requires: ["source"], allows: ["execution"] },
          until: {
            requires: [],
            allows: ["until", "script", "maxIterations", "delayMs", "timeoutMs"],
            exactlyOne: ["until", "script"],
          },
        },
      },
    ),
  children: (block) => [{ field: "blocks", blocks: block.blocks }],
  apis: none,
  scripts: (block) => (block.script === undefined ? [] : [block.script]),
  assertions: (block) =>
    block.until === undefined ? [] : [{ assertion: block.until, pointer: ["until"], role: "polling" }],
  strings: (block) => [
    ...commonStrings(block),
    ...(block.source === undefined ? [] : [{ pointer: ["source"], text: block.source, is: "path" } as const]),
    ...assertionStrings(block.until, ["until"]),
    ...scriptStrings(block.script),
  ],
}
