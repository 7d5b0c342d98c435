// Checks that impossible blocks are type errors. The compiler also reports a directive that suppresses no error.

import { describe, expect, it } from "vitest"
import type { SavedRequest } from "../request/check-saved-request.ts"
import { checkShape } from "../shape/check-shape.ts"
import { workflowShape } from "./workflow-shape.ts"
import type {
  AssertBlock,
  Assertion,
  Block,
  ConditionBlock,
  LoopBlock,
  RequestTarget,
  TransformBlock,
} from "./types.ts"

const check = { source: "a.response.status", operator: "equals", value: 200 } as const
const script = { name: "checks", exportName: "check" }
const loop = { id: "l", type: "loop", blocks: [] } as const

const right: readonly Block[] = [
  { ...loop, id: "l1", mode: "times", count: 2, execution: "parallel" },
  { ...loop, id: "l2", mode: "forEach", source: "a.response.body", iteratorVar: "item" },
  { ...loop, id: "l3", mode: "until", until: check, maxIterations: 3, delayMs: 5 },
  { ...loop, id: "l4", mode: "until", script, timeoutMs: 5 },
  { id: "a1", type: "assert", assertions: [check, { source: "a.b", operator: "exists" }] },
  { id: "a2", type: "assert", script, timeoutMs: 5 },
  { id: "t1", type: "transform", transforms: { total: "a.response.body.total" } },
  { id: "t2", type: "transform", script },
  { id: "c1", type: "condition", if: check, then: [] },
  { id: "c2", type: "condition", script, then: [], else: [] },
  { id: "r1", type: "request", request: { api: "shop", operation: "list" } },
  { id: "r2", type: "request", request: { api: "shop", instance: "list" } },
  { id: "r3", type: "request", request: { api: "shop", operation: "list", instance: "list" } },
]

// @ts-expect-error -- `times` needs a count
const uncounted: LoopBlock = { ...loop, mode: "times" }
// @ts-expect-error -- a source belongs to `forEach`
const sourced: LoopBlock = { ...loop, mode: "times", count: 1, source: "a.b" }
// @ts-expect-error -- a polling loop runs its iterations one by one
const polling: LoopBlock = { ...loop, mode: "until", until: check, execution: "parallel" }
// @ts-expect-error -- either an assertion or a script
const twoChecks: LoopBlock = { ...loop, mode: "until", until: check, script }
// @ts-expect-error -- an assertion or a script
const unchecked: LoopBlock = { ...loop, mode: "until" }
// @ts-expect-error -- either assertions or a script
const assertsTwice: AssertBlock = { id: "a", type: "assert", assertions: [], script }
// @ts-expect-error -- assertions or a script
const assertsNothing: AssertBlock = { id: "a", type: "assert" }
// @ts-expect-error -- either transforms or a script
const transformsTwice: TransformBlock = { id: "t", type: "transform", transforms: {}, script }
// @ts-expect-error -- an assertion or a script
const undecided: ConditionBlock = { id: "c", type: "condition", then: [] }
// @ts-expect-error -- an operation, a saved request or both
const withoutTarget: RequestTarget = { api: "shop" }
// @ts-expect-error -- `equals` compares with a value
const valueless: Assertion = { source: "a.b", operator: "equals" }
// @ts-expect-error -- a path needs a method
const withoutMethod: SavedRequest = { version: 1, path: "/orders" }
// @ts-expect-error -- an operation has its own method
const methodTwice: SavedRequest = { version: 1, operation: "list", method: "GET" }

const wrong = [
  uncounted,
  sourced,
  polling,
  twoChecks,
  unchecked,
  assertsTwice,
  assertsNothing,
  transformsTwice,
  undecided,
  { id: "r", type: "request", request: withoutTarget },
  { id: "a", type: "assert", assertions: [valueless] },
]

describe("the types of blocks", () => {
  const errorsOf = (block: unknown) =>
    checkShape(workflowShape, JSON.parse(JSON.stringify({ version: 1, blocks: [block] })))

  it("allow what the shapes allow", () => {
    expect(right.flatMap(errorsOf)).toEqual([])
  })

  it.each(wrong.map((block) => [block]))("reject what the shapes reject: %j", (block) => {
    expect(errorsOf(block)).not.toEqual([])
  })

  it("are the same for saved requests", () => {
    expect([withoutMethod, methodTwice]).toHaveLength(2)
  })
})
