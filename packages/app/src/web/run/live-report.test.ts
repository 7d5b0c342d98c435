// What is at work in a run: from the start of a block to its end, in loops too.

import type { RunEvent } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { createLiveReport, snapshotReport } from "./live-report.ts"
import { reportRows } from "./report-rows.ts"

const started = (block: number, id: string, rest: object = {}): RunEvent => ({
  type: "block.started",
  run: 1,
  block,
  id,
  kind: "transform",
  ...rest,
})
const finished = (block: number): RunEvent => ({
  type: "block.finished",
  run: 1,
  block,
  status: "passed",
  durationMs: 1,
})

const events: readonly RunEvent[] = [
  {
    type: "run.started",
    run: 1,
    workflow: "w",
    startedAt: "2026-01-01T00:00:00.000Z",
    environments: {},
    inputs: {},
  },
  started(1, "first"),
  finished(1),
  started(2, "loop", { kind: "loop" }),
  { type: "iteration.started", run: 1, block: 2, index: 0, value: 0 },
  { type: "iteration.started", run: 1, block: 2, index: 1, value: 1 },
  started(3, "in-0", { parent: 2, iteration: 0 }),
  started(4, "in-1", { parent: 2, iteration: 1 }),
  finished(3),
  { type: "iteration.finished", run: 1, block: 2, index: 0, status: "passed" },
]

const open = new Map([
  ["1", true],
  ["1/i0", true],
  ["1/i1", true],
])
const live = createLiveReport()
for (const event of events) live.apply(event)

describe("a live report", () => {
  it("knows what is at work, in iterations side by side too", () => {
    const rows = reportRows(live.shown(), open).map(({ label, status }) => `${label} ${status}`)
    expect(rows).toEqual([
      "first passed",
      "loop running",
      "0 passed",
      "in-0 passed",
      "1 running",
      "in-1 running",
    ])
  })

  it("takes what stands last for what is at work, where it is read in the middle of a run", () => {
    const { run } = live.shown()
    if (run === undefined) throw new Error("the run has started")
    const rows = reportRows(snapshotReport(run), open).filter(({ status }) => status === "running")
    expect(rows.map(({ label }) => label)).toEqual(["loop", "1", "in-1"])
  })
})
