// Checks that the report is the same, no matter at which event another fold continues.

import { describe, expect, it } from "vitest"
import { createReportFold, keepProgress, type ReportFold, type ReportSoFar } from "./report-fold.ts"
import type { BlockEntered, BlockReport, IterationReport, RunEvent } from "./types.ts"

const enter = (block: number, id: string, more: Partial<BlockEntered> = {}): BlockEntered => ({
  run: 7,
  block,
  id,
  kind: "transform",
  ...more,
})
const started = (...args: Parameters<typeof enter>): RunEvent => ({
  type: "block.started",
  ...enter(...args),
})
const skipped = (...args: Parameters<typeof enter>): RunEvent => ({
  type: "block.skipped",
  reason: "branch",
  ...enter(...args),
})
const finished = (block: number): RunEvent => ({
  type: "block.finished",
  run: 7,
  block,
  status: "passed",
  durationMs: block,
})
const round = (type: "iteration.started" | "iteration.finished", index: number): RunEvent =>
  type === "iteration.started"
    ? { type, run: 7, block: 3, index, value: `value ${index}` }
    : { type, run: 7, block: 3, index, status: "passed" }

const start = { workflow: "w", startedAt: "2026-01-01T00:00:00.000Z", environments: {}, inputs: {} }

/** Parallel iterations, nested containers, and skipped ones with their content. */
const events: readonly RunEvent[] = [
  { type: "run.started", run: 3, ...start },
  started(1, "of another run", { run: 3 }),
  { type: "run.finished", run: 3, status: "failed", durationMs: 1 },
  { type: "run.started", run: 7, ...start },
  started(1, "group", { kind: "group" }),
  started(2, "first", { parent: 1 }),
  { type: "log.written", run: 7, block: 2, text: "one" },
  { type: "log.written", run: 7, block: 2, text: "two" },
  finished(2),
  started(3, "loop", { parent: 1, kind: "loop" }),
  round("iteration.started", 0),
  round("iteration.started", 1),
  started(4, "choice-0", { parent: 3, iteration: 0, kind: "condition" }),
  started(5, "choice-1", { parent: 3, iteration: 1, kind: "condition" }),
  skipped(6, "no", { parent: 5, kind: "group" }),
  skipped(7, "never", { parent: 6, kind: "group" }),
  skipped(8, "inner", { parent: 7 }),
  skipped(9, "last", { parent: 6 }),
  started(10, "yes", { parent: 4 }),
  { type: "outputs.made", run: 7, block: 10, outputs: { made: [1] } },
  finished(10),
  finished(5),
  round("iteration.finished", 1),
  round("iteration.started", 2),
  finished(4),
  round("iteration.finished", 0),
  round("iteration.finished", 2),
  finished(3),
  finished(1),
  { type: "run.finished", run: 7, status: "passed", durationMs: 9 },
]

function foldOf(some: readonly RunEvent[], soFar?: ReportSoFar): ReportFold {
  const fold = createReportFold(soFar)
  for (const event of some) fold.apply(event)
  return fold
}

const copyOf = ({ report, soFar }: ReportFold): ReportSoFar =>
  JSON.parse(JSON.stringify({ report, runs: soFar() })) as ReportSoFar

const nameOf = (part: BlockReport | IterationReport): string => ("index" in part ? `${part.index}` : part.id)

function atWork({ report, isAtWork }: ReportFold): readonly string[] {
  const names: string[] = []
  const parts: (BlockReport | IterationReport)[] = report.runs.flatMap(({ blocks }) => blocks)
  for (const part of parts) {
    if (isAtWork(part)) names.push(nameOf(part))
    parts.push(...(part.blocks ?? []), ...("index" in part ? [] : (part.iterations ?? [])))
  }
  return names
}

const whole = foldOf(events)

describe("a fold that continues another fold's report", () => {
  it.each(events.map((_, at) => at))("produces the same report from event %d on", (at) => {
    const before = foldOf(events.slice(0, at))
    const after = createReportFold(copyOf(before))
    expect(atWork(after)).toEqual(atWork(before))
    for (const event of events.slice(at)) after.apply(event)
    expect(after.report).toEqual(whole.report)
    expect(after.soFar()).toEqual([])
  })

  it("knows what is running, in parallel iterations too", () => {
    expect(atWork(foldOf(events.slice(0, 19)))).toEqual([
      "group",
      "loop",
      "0",
      "1",
      "choice-0",
      "choice-1",
      "yes",
    ])
    expect(atWork(foldOf(events.slice(0, 26)))).toEqual(["group", "loop", "2"])
    expect(atWork(whole)).toEqual([])
  })

  it("shares no mutable state of a skipped container after the next event", () => {
    const open = (at: number) =>
      foldOf(events.slice(0, at))
        .soFar()
        .flatMap(({ blocks }) => blocks.map(({ block }) => block))
    expect(open(18)).toEqual([1, 3, 4, 5, 6, 7])
    expect(open(19)).toEqual([1, 3, 4, 5, 10])
  })
})

describe("a fold of many iterations", () => {
  it("takes as long for the last one as for the first", () => {
    const count = 150_000
    const { report, apply } = createReportFold()
    apply({ type: "run.started", run: 7, ...start })
    apply(started(3, "loop", { kind: "loop" }))
    for (let index = 0; index < count; index++) {
      apply(round("iteration.started", index))
      apply(started(index + 4, "in", { parent: 3, iteration: index }))
      apply(finished(index + 4))
      apply(round("iteration.finished", index))
    }
    expect(report.runs[0]?.blocks[0]?.iterations?.length).toBe(count)
  })
})

describe("the items of a stream", () => {
  const item = (index: number): RunEvent => ({
    type: "stream.item",
    run: 7,
    block: 1,
    index,
    elapsedMs: index,
    item: index,
  })

  it("are in the report until the response is: their number and the latest", () => {
    const { report, apply } = createReportFold(undefined, keepProgress)
    const block = () => report.runs[0]?.blocks[0]
    apply({ type: "run.started", run: 7, ...start })
    apply(started(1, "watch", { kind: "request" }))
    expect(block()?.streamed).toBeUndefined()
    for (let index = 0; index < 1_010; index++) apply(item(index))
    expect(block()?.streamed).toMatchObject({ items: 1_010, latest: { length: 1_000, 0: 10, 999: 1_009 } })
    const response = { status: 200, durationMs: 1, sizeBytes: 1, endedBy: "server", items: 1_010 } as const
    apply({ type: "response.received", run: 7, block: 1, response })
    expect(block()?.streamed).toBeUndefined()
  })
})
