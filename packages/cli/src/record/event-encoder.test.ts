import { describe, expect, it } from "vitest"
import { stringifyJson, type JsonValue, type RunEvent } from "@callsheet/format"
import { EventEncoder } from "./event-encoder.ts"
import { createDecoder } from "./lines.ts"

const place = { run: 0, block: 3 } as const

const received = (body: JsonValue, sizeBytes = 10): RunEvent => ({
  type: "response.received",
  ...place,
  response: { status: 200, durationMs: 1.5, sizeBytes, headers: { "x-a": "1" }, body },
})

/** Events of every size, as a loop emits them: most are small. */
const events = (text: string): RunEvent[] => [
  {
    type: "run.started",
    run: 0,
    workflow: "buy",
    startedAt: "2026-11-24T12:00:00.000Z",
    environments: {},
    inputs: {},
  },
  { type: "iteration.started", ...place, index: 0, value: text },
  { type: "block.started", ...place, id: "get", kind: "request", parent: 0, iteration: 0, description: text },
  { type: "request.sent", ...place, startMs: 17, request: { method: "GET", url: "http://127.0.0.1/a" } },
  received({ text, list: [{}, "", { a: text }] }),
  received(text, 1024 * 1024),
  {
    type: "assertions.checked",
    ...place,
    assertions: [{ source: "a", operator: "equals", status: "passed", expected: text, actual: [text] }],
  },
  { type: "log.written", ...place, text },
  { type: "block.finished", ...place, status: "passed", durationMs: 2, times: [1, 2] },
  { type: "iteration.finished", ...place, index: 0, status: "passed" },
]

function encode(all: readonly RunEvent[]): string {
  const encoder = new EventEncoder()
  return all.map((event) => encoder.add(event)).join("") + encoder.take()
}

function decode(text: string): readonly unknown[] {
  const read = createDecoder()
  return text
    .trimEnd()
    .split("\n")
    .flatMap((line) => {
      const found = read(line)
      return found !== undefined && "event" in found ? found.event : []
    })
}

describe("the lines of a record", () => {
  it("are the events as JSON, one per line and in order", () => {
    const all = [...events("a"), ...events('},"",{\n"\u2028')]
    expect(encode(all)).toBe(all.map((event) => `${stringifyJson(event)}\n`).join(""))
  })

  it("are the same, however many events wait", () => {
    const all = Array.from({ length: 1000 }, (_, index) => events(String(index))).flat()
    expect(decode(encode(all))).toEqual(all)
  })

  it("contain a large body once, even if its event says that it is small", () => {
    const body = { text: "x".repeat(5000) }
    const all = [...events("a"), received(body), ...events("b"), received(body)]
    const text = encode(all)
    expect(text.split(body.text)).toHaveLength(2)
    expect(decode(text)).toEqual(all)
  })

  it("contain a body that nests too deeply for the stack", () => {
    const depth = 20_000
    const nested = JSON.parse("[".repeat(depth) + "]".repeat(depth)) as JsonValue
    const lines = encode([...events("a"), received(nested), ...events("b")]).split("\n")
    expect(lines.some((line) => line.includes(`"value":${"[".repeat(depth)}`))).toBe(true)
    expect(lines.filter((line) => line.startsWith('{"type":"run.started"'))).toHaveLength(2)
  })
})
