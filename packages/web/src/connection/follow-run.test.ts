import { createReportFold, type RunEvent } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import type { RunEventBatch, RunView } from "@callsheet/server/calls"
import { createFollower, type Follower } from "./follow-run.ts"
import { reportRows } from "../runs/report/report-rows.ts"

const rounds = 6

const events: readonly RunEvent[] = [
  { type: "run.started", run: 0, workflow: "w", startedAt: "2026-01-01", environments: {}, inputs: {} },
  { type: "block.started", run: 0, block: 1, id: "loop", kind: "loop" },
  ...Array.from({ length: rounds }, (_, index): readonly RunEvent[] => [
    { type: "iteration.started", run: 0, block: 1, index, value: index },
    {
      type: "block.started",
      run: 0,
      block: index + 2,
      parent: 1,
      iteration: index,
      id: `r-${index}`,
      kind: "transform",
    },
    { type: "block.finished", run: 0, block: index + 2, status: "passed", durationMs: 1 },
    { type: "iteration.finished", run: 0, block: 1, index, status: "passed" },
  ]).flat(),
]

/** Returns the server's answer after this number of events. */
function viewAfter(count: number): RunView {
  const { report, soFar, apply } = createReportFold()
  for (const event of events.slice(0, count)) apply(event)
  const view = {
    run: "r",
    workflow: "w",
    startedAt: "",
    isDone: false,
    events: count,
    going: soFar(),
    report,
  }
  return JSON.parse(JSON.stringify(view)) as RunView
}

const batch = (from: number, to: number): RunEventBatch => ({
  type: "run.events",
  run: "r",
  from,
  events: events.slice(from, to),
})

const open = new Map([
  ["0", true],
  ...Array.from({ length: rounds }, (_, index) => [`0/i${index}`, true] as const),
])

function rowsOf(follower: Follower): readonly string[] {
  const report = follower.shown()
  if (report === undefined) throw new Error("nothing was read")
  return reportRows(report, open).map(({ label, status }) => `${label} ${status}`)
}

function following(count: number): Follower {
  const follower = createFollower("r")
  follower.beginReading()
  follower.goOn(viewAfter(count))
  return follower
}

const whole = rowsOf(following(events.length))

describe("a run that is joined midway", () => {
  it("is shown as if seen from its start, with the events before and during the read", () => {
    for (let read = 1; read <= events.length; read++) {
      const follower = createFollower("r")
      follower.beginReading()
      // The stream may be behind the report, or ahead of it.
      expect(follower.hear(batch(3, 8))).toBe(true)
      expect(follower.hear(batch(8, 12))).toBe(true)
      expect(follower.goOn(viewAfter(Math.max(read, 3)))).toBe(true)
      expect(follower.hear(batch(12, events.length))).toBe(true)
      expect(rowsOf(follower)).toEqual(whole)
    }
  })

  it("shows what is running, as read", () => {
    expect(rowsOf(following(8))).toEqual([
      "loop running",
      "0 passed",
      "r-0 passed",
      "1 running",
      "r-1 running",
    ])
  })

  it("stops folding at missing events until it is read again", () => {
    const follower = following(6)
    expect(follower.hear(batch(7, 9))).toBe(false)
    expect(follower.isLost()).toBe(true)
    expect(follower.hear(batch(9, 12))).toBe(true)
    expect(rowsOf(follower)).toEqual(rowsOf(following(6)))
    follower.beginReading()
    expect(follower.goOn(viewAfter(12))).toBe(true)
    follower.hear(batch(12, events.length))
    expect(rowsOf(follower)).toEqual(whole)
  })

  it("reports events missing since it was read", () => {
    const follower = createFollower("r")
    follower.beginReading()
    follower.hear(batch(9, 12))
    expect(follower.goOn(viewAfter(6))).toBe(false)
    expect(follower.isLost()).toBe(true)
  })
})
