import { describe, expect, it } from "vitest"
import { blockPath, trackBlocks, type RunSubscriber } from "./open-blocks.ts"
import type { BlockEntered, RunEvent } from "./types.ts"

const run: RunEvent = {
  type: "run.started",
  run: 7,
  workflow: "w",
  startedAt: "2026-01-01T00:00:00.000Z",
  environments: {},
  inputs: {},
}
const enter = (block: number, id: string, more: Partial<BlockEntered> = {}): BlockEntered => ({
  run: 7,
  block,
  id,
  kind: "script",
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
const log = (block: number, text: string): RunEvent => ({ type: "log.written", run: 7, block, text })
const finished = (block: number): RunEvent => ({
  type: "block.finished",
  run: 7,
  block,
  status: "failed",
  durationMs: 5,
  error: { code: "script-error", message: "boom", hint: "look" },
})
const iteration = (index: number): RunEvent => ({ type: "iteration.started", run: 7, block: 2, index })

function track(subscriber: Partial<RunSubscriber<undefined>>, events: readonly RunEvent[]) {
  const { runs, apply } = trackBlocks(() => ({ own: () => undefined, ...subscriber }))
  for (const event of events) apply(event)
  return runs.get(7)
}

describe("open blocks", () => {
  it("return a finished block with its path and everything received for it", () => {
    const heard: unknown[] = []
    const hear: RunSubscriber<undefined>["onFinished"] = (block) =>
      heard.push([blockPath(block), blockPath(block, block.parent), structuredClone(block.report)])
    track({ onFinished: hear }, [
      run,
      started(1, "setup", { kind: "group" }),
      started(2, "poll", { kind: "loop", parent: 1 }),
      iteration(1),
      iteration(2),
      started(3, "get", { parent: 2, iteration: 2 }),
      started(4, "get", { parent: 2, iteration: 1 }),
      log(3, "one"),
      log(4, "of another block"),
      log(3, "two"),
      finished(3),
    ])
    const end = { status: "failed", durationMs: 5, error: { code: "script-error", message: "boom (look)" } }
    expect(heard).toEqual([
      [
        ["setup", "poll", "[2]", "get"],
        ["[2]", "get"],
        { id: "get", type: "script", ...end, logs: ["one", "two"] },
      ],
    ])
  })

  it("include the blocks of a skipped container until the next event", () => {
    const paths: string[] = []
    const open = track({ onSkipped: (block) => paths.push(blockPath(block).join("/")) }, [
      run,
      skipped(1, "a", { kind: "condition" }),
      skipped(2, "b", { kind: "group", parent: 1 }),
      skipped(3, "c", { parent: 2 }),
      skipped(4, "d", { kind: "loop", parent: 1 }),
      started(5, "e"),
    ])
    expect(paths).toEqual(["a", "a/b", "a/b/c", "a/d"])
    expect([...(open?.blocks.keys() ?? [])]).toEqual([5])
    expect(open?.report.counts.skipped).toBe(4)
  })

  it("keep no more logs than the subscriber reads, and count the rest", () => {
    const open = track({ maxLogs: 2 }, [run, started(1, "s"), ...["a", "b", "c", "d"].map((a) => log(1, a))])
    const block = open?.blocks.get(1)
    expect([block?.report.logs, block?.moreLogs]).toEqual([["a", "b"], 2])
  })

  it("forget finished blocks", () => {
    const rounds = Array.from({ length: 1000 }, (_, index): readonly RunEvent[] => [
      iteration(index),
      started(index + 3, "in", { parent: 2, iteration: index }),
      finished(index + 3),
      { type: "iteration.finished", run: 7, block: 2, index, status: "failed" },
    ])
    const open = track({}, [run, started(2, "loop", { kind: "loop" }), ...rounds.flat()])
    expect(open?.blocks.size).toBe(1)
    expect(open?.report.blocks).toEqual([])
    const loop = open?.blocks.get(2)
    expect([loop?.iterations?.size, loop?.report.iterations]).toEqual([0, []])
  })
})
