import { describe, expect, it } from "vitest"
import { isJsonArray, isJsonObject, type JsonValue } from "../json/value.ts"
import { maskEvent, type Mask } from "./mask.ts"
import type { RunEvent } from "./types.ts"

const token = "t0ken-canary-42"

/** Masks fixed texts wherever they occur. Unlike the real mask, it ignores encodings. */
function maskOf(...secrets: readonly string[]): Mask {
  const text = (from: string): string =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, "***"), from)
  const value = (from: JsonValue): JsonValue => {
    if (typeof from === "string") return text(from)
    if (isJsonArray(from)) return from.map(value)
    if (!isJsonObject(from)) return from
    return Object.fromEntries(Object.entries(from).map(([key, inner]) => [text(key), value(inner)]))
  }
  return {
    text,
    name: text,
    url: text,
    body: text,
    header: text,
    value,
    excerpt: value,
    detail: value,
  }
}

const request = {
  method: "POST",
  url: `https://host/${token}?t=${token}`,
  headers: { "x-of": token, [token]: "a", authorization: `Bearer ${token}` },
  body: { [token]: token },
}
const response = {
  status: 200,
  headers: { "set-cookie": [`sid=${token}; Path=/`] },
  body: { token, deep: [{ [token]: `Bearer ${token}` }], status: "passed" },
  durationMs: 3,
  sizeBytes: 40,
  redirects: [{ status: 302, url: `https://host/${token}`, dropped: [`query ${token}`] }],
}
const problems = [
  { path: `/body/${token}`, message: `is ${token}`, schema: `/${token}`, file: "a.json", line: 1 },
]
const assertions = [
  { source: token, operator: "equals", expected: token, actual: { token }, status: "failed", message: token },
] as const
const problem = {
  code: "variable-type",
  severity: "error",
  message: token,
  hint: token,
  file: "a.json",
  line: 1,
  column: 2,
} as const
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
  {
    type: "api.documented",
    run: 0,
    api: "shop",
    operations: [{ name: "passed", method: "GET", path: "/", answers: [{ status: "200", mediaTypes: [] }] }],
  },
  { type: "warning.raised", run: 0, warning: problem },
  { ...started, block: 0, id: "outer" },
  { ...started, block: 1, id: `of ${token}`, kind: "request", parent: 0, description: token },
  { type: "request.checked", run: 0, block: 1, problems },
  { type: "request.sent", run: 0, block: 1, startMs: 1_767_225_600_000, request },
  {
    type: "response.received",
    run: 0,
    block: 1,
    response,
    answers: { api: "shop", name: "passed", method: "GET", path: "/", contentType: `text/${token}` },
  },
  { type: "response.lost", run: 0, block: 1, operation: { api: "shop", method: "POST", path: "/orders" } },
  { type: "contract.checked", run: 0, block: 1, contract: { status: "failed", problems } },
  { type: "assertions.checked", run: 0, block: 1, assertions },
  { type: "outputs.made", run: 0, block: 1, outputs: { token } },
  { type: "log.written", run: 0, block: 1, text: `is ${token}` },
  {
    ...finished,
    block: 1,
    status: "failed",
    error: { code: "script-error", message: token, hint: token },
    exchanges: [{ block: token, request, response }],
  },
  { ...started, block: 2, id: "loop", kind: "loop", parent: 0 },
  { type: "iteration.started", run: 0, block: 2, index: 0, value: token },
  { type: "iteration.finished", run: 0, block: 2, index: 0, status: "passed" },
  { ...finished, block: 2 },
  {
    type: "block.skipped",
    run: 0,
    block: 3,
    id: token,
    kind: "group",
    description: token,
    reason: "halted",
  },
  { ...finished, block: 0 },
  {
    type: "run.finished",
    run: 0,
    status: "error",
    durationMs: 9,
    error: { code: "variable-type", message: token, problems: [problem] },
  },
]

/** Events with fewer members, as most are. */
const plainEvents: readonly RunEvent[] = [
  {
    type: "response.received",
    run: 0,
    block: 1,
    response: {
      status: 200,
      durationMs: 3,
      sizeBytes: 9,
      headers: { [token]: [`sid=${token}`] },
      body: token,
    },
    bigIntegers: [`/${token}`],
  },
  {
    type: "response.received",
    run: 0,
    block: 1,
    response: { status: 200, durationMs: 3, sizeBytes: 9, headers: { "x-a": "b" } },
    answers: { api: "shop", name: "passed", method: "GET", path: "/", contentType: `text/${token}` },
  },
  {
    type: "assertions.checked",
    run: 0,
    block: 1,
    assertions: [{ source: token, operator: "equals", expected: token, actual: token, status: "passed" }],
  },
]

/** Returns a copy of the event for each place of the secret, without the secret in other places. */
function withOneSecret(event: RunEvent) {
  const parts = JSON.stringify(event).split(token)
  return parts.slice(1).map((_, place) => {
    const text = parts.map((part, at) => (at === 0 ? part : (at === place + 1 ? token : "public") + part))
    return { type: event.type, place, event: JSON.parse(text.join("")) as RunEvent }
  })
}

const words = ["passed", "failed", "group", "request", "local", "equals", "message", "POST", "GET", "shop"]

describe("a masked event", () => {
  it.each(events)("$type contains no secret in any text or value from outside", (event) => {
    const masked = maskEvent(event, maskOf(token))
    expect(masked).toEqual(JSON.parse(JSON.stringify(event).replaceAll(token, "***")))
  })

  it.each([...events, ...plainEvents].flatMap(withOneSecret))(
    "$type contains no secret if $place is its only one",
    ({ event }) => {
      expect(maskEvent(event, maskOf(token))).toEqual(
        JSON.parse(JSON.stringify(event).replaceAll(token, "***")),
      )
    },
  )

  it.each(events)("$type is the same object if nothing is masked", (event) => {
    const copies = ["run.started", "request.sent", "response.received", "assertions.checked", "outputs.made"]
    const masked = maskEvent(event, maskOf("nothing of it"))
    expect(masked).toEqual(event)
    const holdsValues = copies.includes(event.type) || (event.type === "block.finished" && event.exchanges)
    if (!holdsValues) expect(masked).toBe(event)
  })

  it("keeps its keywords, whatever is secret", () => {
    for (const event of events) {
      // The response body contains one of these keywords as a value.
      if (event.type === "response.received" || event.type === "block.finished") continue
      expect(maskEvent(event, maskOf(...words))).toEqual(event)
    }
  })

  it("includes excerpts of what a failure looked at and details of what a block created", () => {
    const mask = { ...maskOf(), excerpt: () => "excerpt", detail: () => "detail" }
    const masked = events.map((event) => maskEvent(event, mask))
    expect(masked).toContainEqual(
      expect.objectContaining({
        exchanges: [expect.objectContaining({ request: expect.objectContaining({ body: "excerpt" }) })],
      }),
    )
    const failed = expect.objectContaining({ expected: "detail", actual: "detail" })
    expect(masked).toContainEqual(expect.objectContaining({ assertions: [failed] }))
    const whole = expect.objectContaining({ body: request.body })
    expect(masked).toContainEqual(expect.objectContaining({ type: "request.sent", request: whole }))
  })
})
