import { describe, expect, it } from "vitest"
import type { RunEvent } from "@callsheet/format"
import type { ListedTests } from "./listed-tests.ts"
import { ResultFold, type Outcome } from "./result-fold.ts"
import { nodeId } from "./test-tree.ts"

const listed: ListedTests = {
  tests: [
    {
      workflow: "checkout",
      file: "apis/workflow/checkout.json",
      blocks: [
        { id: "pages", type: "loop", line: 5, column: 9 },
        { id: "get-{{$index}}", type: "request", in: "pages", line: 7, column: 11 },
        { id: "check", type: "assert", in: "pages", line: 9, column: 11 },
      ],
    },
    {
      suite: "nightly",
      file: "callsheet.json",
      line: 2,
      column: 3,
      entries: [{ name: "each", workflow: "checkout", role: "main", line: 4, column: 7 }],
    },
  ],
}

const environments = { shop: { name: "live", level: "production" } } as const
const started = (more: object = {}): RunEvent => ({
  type: "run.started",
  run: 0,
  workflow: "checkout",
  startedAt: "2026-01-01T00:00:00.000Z",
  environments,
  inputs: {},
  ...more,
})
const enter = (block: number, id: string, kind: string, parent?: number) =>
  ({
    type: "block.started",
    run: 0,
    block,
    id,
    kind,
    ...(parent === undefined ? {} : { parent }),
  }) as RunEvent
const leave = (block: number, status: string, more: object = {}) =>
  ({ type: "block.finished", run: 0, block, status, durationMs: 3, ...more }) as RunEvent
const finished = (status: string, more: object = {}) =>
  ({ type: "run.finished", run: 0, status, durationMs: 9, ...more }) as RunEvent

function outcomesOf(events: readonly RunEvent[], options = {}): readonly Outcome[] {
  const fold = new ResultFold(listed, options)
  return events.flatMap((event) => fold.apply(event))
}
const results = (events: readonly RunEvent[], options = {}) =>
  outcomesOf(events, options).filter(({ is }) => is !== "output" && is !== "response")

const workflow = nodeId.workflow("checkout")
const block = (id: string) => nodeId.block("checkout", id)
const wrong = {
  type: "assertions.checked",
  run: 0,
  block: 2,
  assertions: [
    { source: "get.response.status", operator: "equals", status: "passed", expected: 1, actual: 1 },
    {
      source: "get.response.body",
      operator: "equals",
      status: "failed",
      expected: { n: 1 },
      actual: { n: 2 },
      file: "apis/workflow/checkout.json",
      line: 12,
      column: 15,
    },
  ],
} as const satisfies RunEvent

const failing: readonly RunEvent[] = [
  started(),
  enter(0, "pages", "loop"),
  enter(1, "get-0", "request", 0),
  leave(1, "passed"),
  enter(2, "check", "assert", 0),
  wrong,
  leave(2, "failed", { error: { code: "assertion-failed", message: "1 of 2 assertions failed" } }),
  enter(3, "check", "assert", 0),
  leave(3, "passed"),
  leave(0, "failed", { error: { code: "child-failed", message: "a nested block failed" } }),
  finished("failed"),
]

describe("the results of a workflow", () => {
  it("belong to the blocks as written, whatever their ids expand to", () => {
    const shown = results(failing)
    expect(shown.slice(0, 4)).toEqual([
      { is: "started", node: workflow },
      { is: "started", node: block("pages") },
      { is: "started", node: block("get-{{$index}}") },
      { is: "passed", node: block("get-{{$index}}"), durationMs: 3 },
    ])
    expect(shown.at(-1)).toMatchObject({ is: "failed", node: workflow, failures: [] })
  })

  it("show a failed assertion at its line, with both values", () => {
    const failed = results(failing).find(
      (outcome) => outcome.is === "failed" && outcome.node === block("check"),
    )
    expect(failed).toMatchObject({
      failures: [
        {
          text: 'get.response.body equals {"n":1}',
          expected: '{\n  "n": 1\n}',
          received: '{\n  "n": 2\n}',
          file: "apis/workflow/checkout.json",
          line: 12,
          column: 15,
        },
      ],
    })
  })

  it("keep a failure although a later iteration passes", () => {
    const own = results(failing).filter((outcome) => "node" in outcome && outcome.node === block("check"))
    expect(own.map(({ is }) => is)).toEqual(["started", "failed"])
  })

  it("leave the failures of nested blocks to these blocks", () => {
    const own = results(failing).filter(
      (outcome) => outcome.is === "failed" && outcome.node === block("pages"),
    )
    expect(own).toMatchObject([{ failures: [] }])
  })

  it("show a contract violation in the document", () => {
    const problem = {
      path: "/body/id",
      message: "expected a string",
      file: "apis/shop/openapi.yaml",
      line: 40,
    }
    const known = { path: "/body/at", message: "expected a date", known: true as const }
    const shown = results([
      started(),
      enter(0, "pages", "loop"),
      enter(1, "get-0", "request", 0),
      {
        type: "contract.checked",
        run: 0,
        block: 1,
        contract: { status: "failed", problems: [problem, known] },
      },
      leave(1, "failed", {
        error: { code: "contract-broken", message: "1 violation", hint: "see the document" },
      }),
    ])
    expect(shown.at(-1)).toMatchObject({
      failures: [
        {
          text: "1 violation (contract-broken)\nhint: see the document",
          file: "apis/workflow/checkout.json",
          line: 7,
        },
        { text: "contract: /body/id: expected a string", file: "apis/shop/openapi.yaml", line: 40 },
      ],
    })
  })

  it("don't count a failed attempt that is repeated", () => {
    const again = [started(), finished("failed", { isRetried: true }), started(), finished("passed")]
    expect(results(again).map(({ is }) => is)).toEqual(["started", "started", "passed"])
  })
})

describe("a run that the user cancels", () => {
  const canceled: readonly RunEvent[] = [
    started(),
    enter(0, "pages", "loop"),
    leave(0, "skipped", { reason: "cancelled" }),
  ]

  it("is skipped, because nothing failed", () => {
    const shown = results([...canceled, finished("failed")])
    expect(shown.slice(-2).map(({ is }) => is)).toEqual(["skipped", "skipped"])
  })

  it("keeps a failure", () => {
    const skipped = leave(0, "skipped", { reason: "cancelled" })
    const shown = results([...failing.slice(0, -2), skipped, finished("failed")])
    expect(shown.at(-1)).toMatchObject({ is: "failed", node: workflow })
  })
})

describe("a run up to a block", () => {
  const upTo = [started(), enter(0, "pages", "loop"), leave(0, "passed")]

  it("has results of its blocks only, because the workflow wasn't run", () => {
    const shown = results([...upTo, finished("passed")], { isPartial: true })
    expect(shown.map((outcome) => "node" in outcome && outcome.node)).toEqual([
      block("pages"),
      block("pages"),
    ])
  })

  it("shows at the workflow why it can't start", () => {
    const error = { code: "api-unknown", message: "no API", problems: [] }
    const shown = results([started(), finished("error", { error })], { isPartial: true })
    expect(shown).toMatchObject([{ is: "errored", node: workflow }])
  })
})

describe("the results of a suite", () => {
  it("belong to the row of the entry, with the failures of its blocks", () => {
    const place = { suite: "nightly", entry: "each", role: "main", row: 3 }
    const shown = results([started(place), ...failing.slice(1)])
    const entry = nodeId.entry("nightly", "main", "each")
    expect(shown).toMatchObject([
      { is: "row", entry, row: 3 },
      { is: "started", node: nodeId.row(entry, 3) },
      { is: "failed", node: nodeId.row(entry, 3), failures: [{ line: 12 }] },
    ])
  })
})

describe("a run that can't start", () => {
  const error = (code: string) => ({ error: { code, message: "no", problems: [] } })

  it("shows each problem at its place", () => {
    const problems = [
      {
        code: "api-unknown",
        severity: "error",
        message: "no API",
        hint: "add it",
        line: 3,
        column: 4,
        file: "a.json",
      },
    ]
    const shown = results([
      started(),
      finished("error", { error: { code: "api-unknown", message: "no", problems } }),
    ])
    expect(shown.at(-1)).toMatchObject({
      is: "errored",
      failures: [{ text: "no API (api-unknown)\nhint: add it", file: "a.json", line: 3, column: 4 }],
    })
  })

  it("asks to confirm production by the names of its environments", () => {
    const problems = [{ code: "confirm-required", severity: "error", message: "this one would send" }]
    const confirm = { error: { code: "confirm-required", message: "no", problems } }
    const shown = results([started(), finished("error", confirm)])
    expect(shown[1]).toEqual({
      is: "unconfirmed",
      environments: ["live"],
      message: "this one would send",
    })
  })

  it("asks for an environment", () => {
    expect(results([started(), finished("error", error("env-ambiguous"))])[1]).toEqual({ is: "unbound" })
  })
})

describe("the output", () => {
  it("has a line per block and the exchanges of a failed one", () => {
    const request = { method: "POST", url: "http://shop/orders", headers: { a: "1" }, body: { n: 1 } }
    const response = {
      status: 500,
      headers: { "set-cookie": ["x=1", "y=2"] },
      body: "no",
      durationMs: 2,
      sizeBytes: 2,
    }
    const events: readonly RunEvent[] = [
      started(),
      enter(0, "pages", "loop"),
      { type: "request.sent", run: 0, block: 0, request },
      { type: "response.received", run: 0, block: 0, response },
      leave(0, "failed", {
        error: { code: "request-failed", message: "why" },
        exchanges: [{ block: "pages", request, response }],
      }),
    ]
    const output = outcomesOf(events).flatMap((outcome) => (outcome.is === "output" ? [outcome.text] : []))
    expect(output.join("\n")).toBe(`checkout  shop → live
  ✗ pages  POST http://shop/orders  500  3 ms
    why
    > POST http://shop/orders
    > a: 1
    > 
    > {
    >   "n": 1
    > }
    < 500
    < set-cookie: x=1
    < set-cookie: y=2
    < 
    < no`)
    expect(outcomesOf(events)).toContainEqual({
      is: "response",
      workflow: "checkout",
      block: "pages",
      response,
    })
  })
})
