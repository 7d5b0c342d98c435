import { describe, expect, it } from "vitest"
import type { JsonValue } from "@callsheet/format"
import { blockSummary } from "./index.ts"

describe("the summary of a block", () => {
  it.each<[string, JsonValue]>([
    ["shop · GET /orders", { type: "request", request: { api: "shop", operation: "GET /orders" } }],
    ["shop · gift", { type: "request", request: { api: "shop", operation: "create", instance: "gift" } }],
    ["shop · no operation yet", { type: "request", request: { api: "shop", operation: "" } }],
    [
      "a.response.status equals 200",
      { type: "assert", assertions: [{ source: "a.response.status", operator: "equals", value: 200 }] },
    ],
    ["2 assertions", { type: "assert", assertions: [{}, {}] }],
    ["check in total.ts", { type: "assert", script: { name: "total", exportName: "check" } }],
    ["token, name", { type: "transform", transforms: { token: "a", name: "b" } }],
    ["if a exists", { type: "condition", if: { source: "a", operator: "exists" } }],
    ["3 times as i", { type: "loop", mode: "times", count: 3, iteratorVar: "i" }],
    ["for each of a.b, in parallel", { type: "loop", mode: "forEach", source: "a.b", execution: "parallel" }],
    [
      "until a is greater than 1, at most 10",
      {
        type: "loop",
        mode: "until",
        until: { source: "a", operator: "greaterThan", value: 1 },
        maxIterations: 10,
      },
    ],
    ["1 block", { type: "group", blocks: [{}] }],
    ["run in pause.ts", { type: "script", script: { name: "pause", exportName: "run" } }],
    ["", { type: "unknown" }],
    ["", null],
    ["if … constructor", { type: "condition", if: { operator: "constructor" } }],
  ])("is %j", (summary, block) => {
    expect(blockSummary(block)).toBe(summary)
  })
})
