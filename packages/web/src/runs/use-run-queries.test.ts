import { describe, expect, it } from "vitest"
import type { RunSummary } from "@callsheet/server/calls"
import { outcomesOf } from "./use-run-queries.ts"

const run = (workflow: string, status: RunSummary["status"]): RunSummary => ({
  run: workflow,
  workflow,
  startedAt: "2026-01-01T00:00:00Z",
  status,
  durationMs: 1,
  environments: {},
})

describe("outcomes of workflows", () => {
  it("are those of their last runs; a current run is running, and one that could not start has failed", () => {
    const stopped = { ...run("e", "failed"), isStopped: true } as const
    const runs = [run("a", "passed"), run("b", "failed"), run("c", "error"), run("d", "passed"), stopped]
    const going = [{ run: "x", workflow: "d", startedAt: "2026-01-01T00:00:00Z" }]
    expect([...outcomesOf({ runs, going })]).toEqual([
      ["a", "passed"],
      ["b", "failed"],
      ["c", "failed"],
      ["d", "running"],
      ["e", "stopped"],
    ])
    expect(outcomesOf(undefined).size).toBe(0)
  })
})
