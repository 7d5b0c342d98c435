import { createReportFold, type RunEvent } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { createHeldMask } from "./held-mask.ts"

const token = "t0ken-canary-42"
const request = { method: "POST", url: `https://host/${token}?t=${token}`, headers: { "x-of": token } }
const response = {
  status: 200,
  headers: { "set-cookie": [`sid=${token}; Path=/`] },
  body: { token, deep: [{ [token]: `Bearer ${token}` }], status: "passed" },
  durationMs: 3,
  sizeBytes: 40,
  redirects: [{ status: 302, url: `https://host/${token}`, dropped: [`query ${token}`] }],
}
const contract = {
  status: "failed",
  problems: [{ path: `/body/${token}`, message: `came ${token}` }],
} as const
const assertions = [
  { source: token, operator: "equals", expected: token, actual: { token }, status: "failed", message: token },
] as const
const started = { type: "block.started", run: 0, kind: "group" } as const
const finished = { type: "block.finished", run: 0, status: "passed", durationMs: 1 } as const

const events: readonly RunEvent[] = [
  {
    type: "run.started",
    run: 0,
    workflow: "passed",
    startedAt: "2026-01-01T00:00:00.000Z",
    environments: { message: { name: "local", level: "local" } },
    inputs: { token },
  },
  { ...started, block: 0, id: "outer" },
  { ...started, block: 1, id: `of ${token}`, kind: "request", parent: 0, description: token },
  { type: "request.sent", run: 0, block: 1, request },
  { type: "response.received", run: 0, block: 1, response },
  { type: "contract.checked", run: 0, block: 1, contract },
  { type: "assertions.checked", run: 0, block: 1, assertions },
  { type: "outputs.made", run: 0, block: 1, outputs: { token } },
  { type: "log.written", run: 0, block: 1, text: `got ${token}` },
  { ...finished, block: 1, error: { code: "script-error", message: token, hint: token } },
  { ...started, block: 2, id: "loop", kind: "loop", parent: 0 },
  { type: "iteration.started", run: 0, block: 2, index: 0, value: token },
  { type: "iteration.finished", run: 0, block: 2, index: 0, status: "passed" },
  { ...finished, block: 2 },
  { ...finished, block: 0 },
  { type: "run.finished", run: 0, status: "passed", durationMs: 9 },
]

function makeReport() {
  const { report, apply } = createReportFold()
  for (const event of structuredClone(events)) apply(event)
  return report
}

describe("a report that is held back", () => {
  it("stays as it is where nothing was captured", () => {
    const report = makeReport()
    createHeldMask().apply(report)
    expect(report).toEqual(makeReport())
  })

  it("loses what was captured from every text and value of it", () => {
    const report = makeReport()
    const held = createHeldMask()
    held.learn(token)
    held.apply(report)
    expect(JSON.stringify(report)).not.toContain("canary")
    expect(JSON.parse(JSON.stringify(makeReport()).replaceAll(token, "***"))).toEqual(report)
  })

  it("keeps its own words, whatever was captured", () => {
    const report = makeReport()
    const held = createHeldMask()
    for (const word of ["passed", "failed", "group", "request", "local", "equals", "message", "POST"])
      held.learn(word)
    held.apply(report)
    const wanted = makeReport()
    const [block] = wanted.runs[0]!.blocks[0]!.blocks!
    Object.assign(block!.response!.body!, { status: "***" })
    expect(report).toEqual(wanted)
  })

  it("may be nested deeper than the stack", () => {
    const root: { id: string; blocks: object[] } = { id: token, blocks: [] }
    let here = root
    for (let depth = 0; depth < 100_000; depth++) {
      const inner = { id: token, blocks: [] }
      here.blocks.push(inner)
      here = inner
    }
    const held = createHeldMask()
    held.learn(token)
    held.apply(root)
    expect([root.id, here.id]).toEqual(["***", "***"])
  })
})
