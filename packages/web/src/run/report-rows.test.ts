// Checks the rows of a report: those that are open by default, and those that the user opens.

import type { BlockReport, RunReport } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { finishedReport } from "./follow-run.ts"
import { firstFailure, reportRows, rowIndex } from "./report-rows.ts"

const block = (id: string, rest: Partial<BlockReport> = {}): BlockReport => ({
  id,
  type: "assert",
  status: "passed",
  durationMs: 1,
  ...rest,
})

const run: RunReport = {
  workflow: "w",
  status: "failed",
  startedAt: "2026-01-01T00:00:00.000Z",
  durationMs: 1,
  environments: {},
  inputs: {},
  counts: { passed: 0, failed: 0, skipped: 0 },
  blocks: [
    block("fine", { type: "group", blocks: [block("inside")] }),
    block("loop", {
      type: "loop",
      status: "failed",
      iterations: [
        { index: 0, value: "a", status: "passed", blocks: [block("one")] },
        {
          index: 1,
          value: "b",
          status: "failed",
          blocks: [block("two", { status: "failed" }), block("three")],
        },
      ],
    }),
  ],
}

const labels = (choices: ReadonlyMap<string, boolean>): readonly string[] =>
  reportRows(finishedReport({ runs: [run], status: "passed" }), choices).map(
    ({ depth, label }) => `${depth} ${label}`,
  )

describe("reportRows", () => {
  it("opens only what failed", () => {
    expect(labels(new Map())).toEqual(["1 fine", "1 loop", "2 0 · a", "2 1 · b", "3 two", "3 three"])
  })

  it("opens and closes what the user chose", () => {
    expect(labels(new Map([["1", false]]))).toEqual(["1 fine", "1 loop"])
    expect(
      labels(
        new Map([
          ["0", true],
          ["1/i1", false],
        ]),
      ),
    ).toEqual(["1 fine", "2 inside", "1 loop", "2 0 · a", "2 1 · b"])
  })
})

describe("rowIndex", () => {
  it("finds each row by its id, and none for an unknown id", () => {
    const rows = reportRows(finishedReport({ runs: [run], status: "passed" }), new Map([["0", true]]))
    expect(rows.map(({ id }) => rowIndex(rows, id))).toEqual([...rows.keys()])
    expect(["1/i2", "2", "0/1", undefined].map((id) => rowIndex(rows, id))).toEqual([-1, -1, -1, -1])
  })
})

describe("firstFailure", () => {
  it("finds the innermost block of the first failure", () => {
    expect(
      firstFailure(reportRows(finishedReport({ runs: [run], status: "passed" }), new Map()))?.label,
    ).toBe("two")
  })
})
