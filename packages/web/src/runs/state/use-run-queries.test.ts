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

const statuses = (latest: Parameters<typeof outcomesOf>[0]) =>
  [...outcomesOf(latest)].map(([name, { status }]) => [name, status])

describe("outcomes of workflows", () => {
  it("are those of their last runs; a current run is running, and one that could not start has failed", () => {
    const stopped = { ...run("e", "failed"), isStopped: true } as const
    const runs = [run("a", "passed"), run("b", "failed"), run("c", "error"), run("d", "passed"), stopped]
    const going = [{ run: "x", workflow: "d", startedAt: "2026-01-01T00:00:00Z" }]
    expect(statuses({ runs, going })).toEqual([
      ["a", "passed"],
      ["b", "failed"],
      ["c", "failed"],
      ["d", "running"],
      ["e", "stopped"],
    ])
    expect(outcomesOf(undefined).size).toBe(0)
  })

  it("come from a later run of a suite, and aren't passed if nothing checked a response", () => {
    const results = {
      a: { status: "failed", file: "1" },
      b: { status: "passed", file: "2", unchecked: 1 },
    } as const
    const runs = [
      { ...run("suite/all", "failed"), run: "2", results },
      { ...run("a", "passed"), run: "1" },
    ]
    const outcomes = outcomesOf({ runs, edited: ["b"], going: [] })
    expect(outcomes.get("a")).toEqual({
      status: "failed",
      isEdited: false,
      startedAt: "2026-01-01T00:00:00Z",
    })
    expect(outcomes.get("b")).toMatchObject({ status: "unchecked", isEdited: true })
    expect(outcomes.get("suite/all")).toMatchObject({ status: "failed", durationMs: 1 })
  })
})
