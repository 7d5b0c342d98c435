import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { RunPart } from "../calls/index.ts"
import { createRunHistory, type RunHistory } from "./run-history.ts"

let state = ""
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "callsheet-history-"))
})
afterEach(() => rmSync(state, { recursive: true }))

const open = (maxBytes: number): RunHistory => createRunHistory({ state, root: state, maxBytes })

let runs = 0

/** Keeps a run whose report has about this size. */
function keep(history: RunHistory, workflow: string, size: number, part?: RunPart): string {
  const run = `20261122T030000${String(++runs).padStart(3, "0")}Z-0123456789abcdef`
  const startedAt = "2026-11-22T03:00:00.000Z"
  const environments = { shop: "x".repeat(size) }
  const outcome = { status: "passed", durationMs: 1 } as const
  const summary = {
    run,
    workflow,
    startedAt,
    environments: {},
    ...outcome,
    ...(part === undefined ? {} : { part }),
  }
  const report = { version: 1 as const, ...outcome, runs: [], environments }
  expect(history.keep({ summary, report })).toBe(true)
  return run
}

const kept = (history: RunHistory): readonly string[] => history.list().map(({ run }) => run)

describe("a history that is full", () => {
  it("keeps the last run of each workflow, of the whole and of a part, before later others", () => {
    const history = open(10_000)
    const other = keep(history, "other", 500)
    const part = keep(history, "mine", 500, { only: "a" })
    keep(history, "mine", 500)
    const large = keep(history, "mine", 8000)
    expect(kept(history)).toEqual([large, part, other])
  })

  it("drops only a large one, and not the smaller ones before it", () => {
    const history = open(10_000)
    const small = keep(history, "mine", 500)
    keep(history, "mine", 6000)
    const next = keep(history, "mine", 6000)
    expect(kept(history)).toEqual([next, small])
  })
})
