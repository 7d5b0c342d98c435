// Checks the rows of a report: those that are open by default, and those that the user opens.

import type { BlockReport, RunReport } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { finishedReport } from "../../connection/follow-run.ts"
import { firstFailure, idsAround, matchesOf, nextFailure, reportRows, rowIndex } from "./report-rows.ts"

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

describe("matchesOf", () => {
  const requests: RunReport = {
    ...run,
    blocks: [
      block("create", {
        type: "request",
        request: { method: "POST", url: "http://127.0.0.1:1/orders?page=2", headers: {} },
        response: { status: 201, headers: {}, durationMs: 1, sizeBytes: 0 },
      }),
      ...run.blocks,
    ],
  }
  const shown = finishedReport({ runs: [requests], status: "failed" })
  const found = (text: string, isFailedOnly = false): readonly string[] =>
    reportRows(shown, new Map(), matchesOf(shown, { text, isFailedOnly })).map(({ label }) => label)

  it("keeps what contains the text, opened, with the containers around it", () => {
    expect(found("INSIDE")).toEqual(["fine", "inside"])
    expect(found(" two ")).toEqual(["loop", "1 · b", "two"])
    expect(found("nowhere")).toEqual([])
  })

  it("finds requests by what the terminal shows", () => {
    expect(found("post /orders?page=2 201")).toEqual(["create"])
    expect(found("127.0.0.1")).toEqual([])
  })

  it("keeps everything in a container that matches by itself", () => {
    const rows = reportRows(
      shown,
      new Map([["1", true]]),
      matchesOf(shown, { text: "fine", isFailedOnly: false }),
    )
    expect(rows.map(({ label }) => label)).toEqual(["fine", "inside"])
  })

  it("keeps only failed rows, and those around them", () => {
    expect(found("", true)).toEqual(["loop", "1 · b", "two"])
    expect(found("three", true)).toEqual([])
  })
})

describe("nextFailure", () => {
  const again = { ...run, blocks: [...run.blocks, block("last", { status: "failed" })] }
  const report = finishedReport({ runs: [again], status: "failed" })
  const opened = reportRows(report, new Map([["0", true]]))
  const from = (label: string) => opened.find((row) => row.label === label)

  it("moves between the innermost failures, also from other rows, and starts again at the other end", () => {
    expect(nextFailure(report, undefined, 1)).toBe("1/i1/0")
    expect(nextFailure(report, from("inside"), 1)).toBe("1/i1/0")
    expect(nextFailure(report, from("two"), 1)).toBe("2")
    expect(nextFailure(report, from("last"), 1)).toBe("1/i1/0")
    expect(nextFailure(report, from("last"), -1)).toBe("1/i1/0")
    expect(nextFailure(report, from("two"), -1)).toBe("2")
    expect(nextFailure(report, from("three"), -1)).toBe("1/i1/0")
  })

  it("is nothing without a failure", () => {
    const passed = finishedReport({ runs: [{ ...run, blocks: [block("fine")] }], status: "passed" })
    expect(nextFailure(passed, undefined, 1)).toBeUndefined()
  })
})

describe("idsAround", () => {
  it("names the containers of a row, outermost first", () => {
    expect(idsAround("3/i12/0")).toEqual(["3", "3/i12"])
    expect(idsAround("3")).toEqual([])
  })
})
