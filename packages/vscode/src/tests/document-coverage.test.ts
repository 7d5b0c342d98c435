import { describe, expect, it } from "vitest"
import type { RunEvent } from "@callsheet/format"
import { DocumentCoverage } from "./document-coverage.ts"

const documented = (name: string) => ({
  name,
  method: "GET",
  path: `/${name}`,
  answers: [
    { status: "200", mediaTypes: [] },
    { status: "404", mediaTypes: [] },
  ],
})
const events: readonly RunEvent[] = [
  { type: "run.started", run: 0, workflow: "w", startedAt: "", environments: {}, inputs: {} },
  { type: "api.documented", run: 0, api: "shop", operations: [documented("ping"), documented("other")] },
  { type: "block.started", run: 0, block: 0, id: "one", kind: "request" },
  { type: "request.sent", run: 0, block: 0, request: { method: "GET", url: "http://shop/ping" } },
  {
    type: "response.received",
    run: 0,
    block: 0,
    response: { status: 200, durationMs: 1, sizeBytes: 0 },
    answers: { api: "shop", name: "ping", method: "GET", path: "/ping" },
  },
  { type: "block.finished", run: 0, block: 0, status: "passed", durationMs: 1 },
  { type: "run.finished", run: 0, status: "passed", durationMs: 1 },
]
const operation = (name: string, line: number) => ({
  api: "shop",
  operation: name,
  method: "GET",
  path: `/${name}`,
  file: "apis/shop/openapi.yaml",
  line,
})

describe("the coverage of a document", () => {
  it("counts the blocks of each operation and status, over several calls", () => {
    const coverage = new DocumentCoverage()
    for (const event of events) coverage.apply(event)
    coverage.next()
    for (const event of events)
      coverage.apply(event.type === "run.started" ? { ...event, workflow: "again" } : event)
    const lines = coverage.lines([operation("ping", 4), operation("other", 9)])
    expect([...lines]).toEqual([
      [
        "apis/shop/openapi.yaml",
        [
          {
            name: "ping",
            line: 4,
            count: 2,
            answers: [
              { status: "200", count: 2 },
              { status: "404", count: 0 },
            ],
          },
          {
            name: "other",
            line: 9,
            count: 0,
            answers: [
              { status: "200", count: 0 },
              { status: "404", count: 0 },
            ],
          },
        ],
      ],
    ])
  })

  it("leaves out operations of APIs that no run used", () => {
    expect(new DocumentCoverage().lines([operation("ping", 4)]).size).toBe(0)
  })
})
