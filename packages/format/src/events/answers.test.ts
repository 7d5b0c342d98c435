import { expect, it } from "vitest"
import { createAnswerCount } from "./answers.ts"
import type { BlockStatus, ContractView, RunEvent } from "./types.ts"

const started: RunEvent = {
  type: "run.started",
  run: 1,
  workflow: "shop",
  startedAt: "2026-01-01T00:00:00.000Z",
  environments: {},
  inputs: {},
}
const finished = (isRetried: boolean): RunEvent => ({
  type: "run.finished",
  run: 1,
  status: "passed",
  durationMs: 1,
  ...(isRetried ? { isRetried: true } : {}),
})

interface Sent {
  readonly status: number
  readonly contract?: ContractView["status"]
  readonly ends?: BlockStatus
}

const requestOf = (block: number, { status, contract, ends = "passed" }: Sent): readonly RunEvent[] => [
  { type: "block.started", run: 1, block, id: `r${block}`, kind: "request" },
  {
    type: "response.received",
    run: 1,
    block,
    response: { status, headers: [], body: null, sizeBytes: 0, durationMs: 1 } as never,
  },
  ...(contract === undefined
    ? []
    : [{ type: "contract.checked", run: 1, block, contract: { status: contract, problems: [] } } as const]),
  { type: "block.finished", run: 1, block, status: ends, durationMs: 1 },
]

const countOf = (events: readonly RunEvent[], isRetried = false) => {
  const count = createAnswerCount()
  for (const event of [started, ...events, finished(isRetried)]) count.listen(event)
  return count.found()
}

it("counts a documented response as answered, whatever its status, unless its block failed", () => {
  const events = [
    ...requestOf(1, { status: 404, contract: "passed" }),
    ...requestOf(2, { status: 200, contract: "unchecked" }),
    ...requestOf(3, { status: 200, contract: "failed", ends: "failed" }),
  ]
  expect(countOf(events)).toEqual({ requests: 3, answered: 2, undocumented: 0, otherFailures: 0 })
})

it("counts a response that no document describes as answered below 400", () => {
  const events = [
    ...requestOf(1, { status: 200 }),
    ...requestOf(2, { status: 302, contract: "unavailable" }),
    ...requestOf(3, { status: 400, contract: "unavailable" }),
  ]
  expect(countOf(events)).toEqual({ requests: 3, answered: 2, undocumented: 3, otherFailures: 0 })
})

it("counts requests that weren't sent because of a failure, but not those of another branch", () => {
  const skipped = (block: number, reason: "halted" | "branch"): RunEvent => ({
    type: "block.skipped",
    run: 1,
    block,
    id: `r${block}`,
    kind: "request",
    reason,
  })
  expect(countOf([skipped(1, "halted"), skipped(2, "branch")])).toMatchObject({ requests: 1, answered: 0 })
})

it("doesn't count an attempt that is repeated", () => {
  expect(countOf(requestOf(1, { status: 200 }), true)).toMatchObject({ requests: 0 })
})
