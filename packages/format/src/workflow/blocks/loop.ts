// The loop block: repeats its blocks by count, over an array, or until a check passes.

import {
  defaulted,
  describedEnum,
  milliseconds,
  number,
  object,
  optional,
  required,
  string,
  type Shape,
} from "../../shape/shape.ts"
import { checkId } from "../names.ts"
import type { Blocks, LoopMode } from "../types.ts"
import {
  assertionShape,
  assertionStrings,
  commonFields,
  noScript,
  scriptShape,
  textStrings,
  timeoutField,
  type BlockDefinition,
} from "./definition.ts"

const modes = describedEnum({
  times: "`count` times.",
  forEach: "Once per element of the array at `source`.",
  until: "Until a check passes.",
})

const executions = describedEnum({
  sequential: "One iteration after the other.",
  parallel: "Iterations at once, as many as `--concurrency` allows.",
})

const modeFields = {
  times: { requires: ["count"], allows: ["execution"] },
  forEach: { requires: ["source"], allows: ["execution"] },
  until: {
    requires: [],
    allows: ["until", "script", "maxIterations", "delayMs", "timeoutMs"],
    exactlyOne: ["until", "script"],
  },
} as const

const fieldsOfMode = (mode: LoopMode): readonly string[] => [
  ...modeFields[mode].requires,
  ...modeFields[mode].allows,
]

export function fieldsOfOtherModes(mode: LoopMode): readonly string[] {
  const own = fieldsOfMode(mode)
  const all = loopModes.flatMap(fieldsOfMode)
  return [...new Set(all)].filter((field) => !own.includes(field))
}

const loopModes = Object.keys(modeFields) as readonly LoopMode[]

export const loopShape = (blocks: Shape<Blocks>) =>
  object(
    {
      ...commonFields("loop"),
      mode: required(modes, "How often the blocks run."),
      count: optional(number({ integer: true, minimum: 0 }), "Number of iterations."),
      source: optional(string(), "Path of the array. Anything else fails the loop."),
      until: optional(assertionShape, "Tested after each iteration. The loop stops when it passes."),
      script: optional(scriptShape, "A script that returns a boolean, instead of `until`."),
      maxIterations: defaulted(
        number({ integer: true, minimum: 1 }),
        "Maximum number of iterations. The loop fails if the check hasn't passed by then.",
        100,
      ),
      delayMs: defaulted(milliseconds(false), "Wait between iterations, in milliseconds.", 0),
      timeoutMs: timeoutField,
      iteratorVar: optional(
        string(checkId),
        "Name of the current element (`forEach`) or index (`times`, `until`).",
      ),
      execution: defaulted(executions, "Run iterations one after the other, or all at once.", "sequential"),
      blocks: required(blocks, "The nested blocks."),
    },
    {
      rule: "byValue",
      field: "mode",
      cases: modeFields,
    },
  )

export const loop = {
  summary: "Repeats its blocks.",
  shape: loopShape,
  childFields: ["blocks"],
  result: "none",
  iterates: true,
  standIn: {
    fits: ({ iteratorVar }) => typeof iteratorVar === "string",
    make: (id, { iteratorVar }, list) => ({
      id,
      type: "loop",
      mode: "until",
      script: noScript,
      iteratorVar: typeof iteratorVar === "string" ? iteratorVar : undefined,
      blocks: list("blocks"),
    }),
  },
  script: ({ script }) => script,
  assertions: (block) =>
    block.until === undefined ? [] : [{ assertion: block.until, pointer: ["until"], role: "polling" }],
  strings: (block) => [
    ...textStrings({ source: block.source }, [], "path"),
    ...assertionStrings(block.until, ["until"]),
  ],
} satisfies BlockDefinition<"loop">
