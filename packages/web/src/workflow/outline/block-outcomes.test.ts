import { describe, expect, it } from "vitest"
import type { BlockReport, JsonValue } from "@callsheet/format"
import { createOutcomeFinder } from "./block-outcomes.ts"

const ran = (id: string, status: BlockReport["status"], more: Partial<BlockReport> = {}): BlockReport => ({
  id,
  type: "group",
  status,
  durationMs: 1,
  ...more,
})

const workflow = {
  blocks: [
    { id: "new", type: "group", blocks: [] },
    { id: "login", type: "request" },
    { id: "if", type: "condition", then: [{ id: "t", type: "group" }], else: [{ id: "e", type: "group" }] },
    {
      id: "loop",
      type: "loop",
      blocks: [
        { id: "item-{{i}}", type: "group" },
        { id: "check-{{i}}", type: "assert" },
      ],
    },
  ],
}
const round = (index: number, second: BlockReport["status"]) => ({
  index,
  value: index,
  status: second,
  blocks: [ran(`item-${index}`, "passed"), ran(`check-${index}`, second, { type: "assert" })],
})
/** Returns the outcomes by block, without their reports. */
const outcomesIn = (value: JsonValue): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    [...createOutcomeFinder({ blocks: reports }, () => false)(value)].map(
      ([key, { reports: _, ...outcome }]) => [key, outcome],
    ),
  )

const reports = [
  ran("login", "passed"),
  ran("if", "passed", { blocks: [ran("t", "passed"), ran("e", "skipped")] }),
  ran("loop", "failed", { type: "loop", iterations: [round(0, "passed"), round(1, "failed")] }),
]

describe("the outcomes of blocks", () => {
  it("are those of the run, wherever the block is now, and none for a new block", () => {
    expect(outcomesIn(workflow)).toEqual({
      "blocks/1": { status: "passed" },
      "blocks/2": { status: "passed" },
      "blocks/2/then/0": { status: "passed" },
      "blocks/2/else/0": { status: "skipped" },
      "blocks/3": { status: "failed", rounds: 2, failed: 1 },
      "blocks/3/blocks/0": { status: "passed", rounds: 2, failed: 0 },
      "blocks/3/blocks/1": { status: "failed", rounds: 2, failed: 1 },
    })
  })

  it("are found for a block that has moved since", () => {
    const moved = { blocks: [{ id: "new", type: "group", blocks: [{ id: "t", type: "group" }] }] }
    expect(outcomesIn(moved)).toEqual({
      "blocks/0/blocks/0": { status: "passed" },
    })
  })

  it("are running while an iteration of the block is running", () => {
    const [first] = reports[2]?.iterations?.[1]?.blocks ?? []
    const outcomes = createOutcomeFinder({ blocks: reports }, (part) => part === first)(workflow)
    expect(outcomes.get("blocks/3/blocks/0")?.status).toBe("running")
  })
})
