import { describe, expect, it } from "vitest"
import type { BlockReport, RunReport } from "../events/types.ts"
import { compareRuns, isDifferent, responseDifferences, type BlockComparison } from "./compare-runs.ts"

const differs = (row: BlockComparison) => isDifferent(row, responseDifferences(row))

const block = (id: string, more: Partial<BlockReport> = {}): BlockReport => ({
  id,
  type: "request",
  status: "passed",
  durationMs: 1,
  ...more,
})

const run = (...blocks: BlockReport[]): RunReport => ({
  workflow: "w",
  status: "passed",
  startedAt: "",
  durationMs: 1,
  environments: {},
  inputs: {},
  counts: { passed: 0, failed: 0, skipped: 0 },
  blocks,
})

const answer = (status: number, body: unknown = {}): Partial<BlockReport> => ({
  response: { status, body: body as never, durationMs: 1, sizeBytes: 1 },
})

const names = (before: RunReport, after: RunReport): readonly string[] =>
  compareRuns(before, after).map(({ id, depth, iteration, before: own, after: other }) => {
    const side = own === undefined ? "+" : other === undefined ? "-" : ""
    return `${side}${" ".repeat(depth)}${id}${iteration === undefined ? "" : `#${iteration}`}`
  })

const loop = (id: string, count: number, inner: (index: number) => BlockReport[]): BlockReport =>
  block(id, {
    type: "loop",
    iterations: Array.from({ length: count }, (_, index) => ({
      index,
      value: index,
      status: "passed",
      blocks: inner(index),
    })),
  })

describe("two runs", () => {
  it("are matched by the ids of their blocks, within the same container", () => {
    const group = (...blocks: BlockReport[]) => block("g", { type: "group", blocks })
    expect(
      names(run(block("a"), group(block("b")), block("c")), run(block("a"), group(block("b")), block("c"))),
    ).toEqual(["a", "g", " b", "c"])
    // The same id in another container belongs to another block.
    expect(names(run(block("b")), run(group(block("b"))))).toEqual(["+g", "+ b", "-b"])
  })

  it("are matched by iteration", () => {
    const [two, three] = [2, 3].map((count) =>
      run(
        loop("l", count, () => [block("x")]),
        block("end"),
      ),
    )
    expect(names(two ?? run(), three ?? run())).toEqual(["l", " x#0", " x#1", "+ x#2", "end"])
    expect(names(three ?? run(), two ?? run())).toEqual(["l", " x#0", " x#1", "- x#2", "end"])
  })

  it("show extra blocks where they occur", () => {
    expect(names(run(block("a"), block("d")), run(block("n"), block("a"), block("b"), block("c")))).toEqual([
      "+n",
      "a",
      "+b",
      "+c",
      "-d",
    ])
  })

  it("distinguish blocks whose ids became the same", () => {
    expect(names(run(block("x"), block("x")), run(block("x"), block("x"), block("x")))).toEqual([
      "x",
      "x",
      "+x",
    ])
  })

  it("differ by outcome, status, error and assertions, but not by time", () => {
    const assertion = (source: string, status: "passed" | "failed") =>
      ({ source, operator: "equals", status }) as const
    const before = block("a", {
      ...answer(200),
      durationMs: 10,
      assertions: [assertion("x", "passed"), assertion("x", "passed"), assertion("gone", "passed")],
    })
    const after = block("a", {
      ...answer(500),
      status: "failed",
      durationMs: 999,
      error: { code: "assertion-failed", message: "no" },
      assertions: [assertion("x", "passed"), assertion("x", "failed")],
    })
    expect(compareRuns(run(before), run(after))[0]?.changes).toEqual([
      { what: "outcome", before: "passed", after: "failed" },
      { what: "status", before: "200", after: "500" },
      { what: "error", before: "", after: "no" },
      { what: "assertion", of: "x equals (2)", before: "passed", after: "failed" },
      { what: "assertion", of: "gone equals", before: "passed", after: "" },
    ])
    const [same] = compareRuns(run(before), run({ ...before, durationMs: 500 }))
    expect([same?.changes, same === undefined || differs(same)]).toEqual([[], false])
  })

  it.each([
    [{ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }, false],
    [{ a: 1 }, { a: "1" }, true],
    [[1, 2], [2, 1], true],
    [{ a: 1 }, { a: 1, b: 2 }, true],
    [{ a: null }, { b: null }, true],
    [[], {}, true],
    [null, {}, true],
  ])("differ by the body of a response: %j, %j", (one, other, isOther) => {
    const [compared] = compareRuns(run(block("a", answer(200, one))), run(block("a", answer(200, other))))
    expect(compared !== undefined && differs(compared)).toBe(isOther)
  })

  it("of 100,000 iterations are compared within twenty seconds, and of 5,000 nested groups", () => {
    const many = run(loop("l", 100_000, (index) => [block(`x-${index}`, answer(200, { index }))]))
    let nested = block("x")
    for (let depth = 0; depth < 5000; depth++)
      nested = block(`g${depth}`, { type: "group", blocks: [nested] })
    const start = performance.now()
    expect(compareRuns(many, many).filter(differs)).toEqual([])
    expect(compareRuns(run(nested), run(nested))).toHaveLength(5001)
    expect(performance.now() - start).toBeLessThan(20_000)
  })
})
