import { describe, expect, it } from "vitest"
import { createReportFold, parseJson, type RunEvent } from "@callsheet/format"
import { exampleRun, render, RunRecorder, throughJson } from "./testing/example-run.ts"
import { writeJson } from "./json.ts"

const json = (events: readonly RunEvent[]) => render(writeJson, events)

function reportOf(events: readonly RunEvent[]): unknown {
  const fold = createReportFold()
  for (const event of events) fold.apply(event)
  return fold.report
}

describe("json", () => {
  it("writes the report of the events", () => {
    const events = [...exampleRun(), ...new RunRecorder({ run: 1, workflow: "other" }).end()]
    expect(JSON.parse(json(events))).toEqual(reportOf(events))
  })

  it("writes the same for events after a JSON round trip", () => {
    expect(json(throughJson(exampleRun()))).toBe(json(exampleRun()))
  })

  it("has no blocks if the run could not start", () => {
    const error = { code: "env-missing", message: "no", problems: [] } as const
    const events = new RunRecorder().end({ status: "error", error })
    expect(JSON.parse(json(events))).toMatchObject({ status: "error", runs: [{ error, blocks: [] }] })
  })

  it("is a valid document if nothing ran", () => {
    expect(JSON.parse(json([]))).toEqual({ version: 1, status: "passed", durationMs: 0, runs: [] })
  })

  it("puts each block on its own line", () => {
    const lines = json(exampleRun()).split("\n")
    expect(lines.filter((line) => line.includes('"id":"create"'))).toHaveLength(1)
    expect(lines.length).toBeGreaterThan(15)
  })

  it("escapes invisible control characters and keeps the text", () => {
    const text = "a\u0085\u009b31m\u202eb\u2066c\ufeff##vso[d]"
    const run = new RunRecorder()
    const block = run.start("script", "s")
    run.add(block, { type: "log.written", text })
    run.finish(block)
    const written = json(run.end())
    expect(written).not.toMatch(/[\u007f-\u009f\u202e\u2066\ufeff]|##vso/)
    expect(JSON.parse(written)).toMatchObject({ runs: [{ blocks: [{ logs: [text] }] }] })
  })

  it("keeps every digit of big integers", () => {
    const run = new RunRecorder({ inputs: { id: 9007199254740993n } })
    expect(json(run.end())).toContain('"inputs":{"id":9007199254740993}')
  })

  it("is valid JSON in valid UTF-8 for any text", () => {
    const run = new RunRecorder()
    const block = run.start("script", "s")
    run.add(block, { type: "log.written", text: '\ud800\u0000"\u2028</script>' })
    run.finish(block)
    const text = json(run.end())
    expect(Buffer.from(text).toString()).toBe(text)
    expect(JSON.parse(text)).toMatchObject({
      runs: [{ blocks: [{ logs: ['\ud800\u0000"\u2028</script>'] }] }],
    })
  })

  it("writes groups of any depth", () => {
    const run = new RunRecorder()
    const numbers = Array.from({ length: 10_000 }, (_, index) =>
      run.start("group", `g${index}`, index === 0 ? {} : { parent: index - 1 }),
    )
    for (const number of numbers.reverse()) run.finish(number)
    expect(parseJson(json(run.end())).ok).toBe(true)
  })

  it("reports long loops like short ones, nested and parallel too", () => {
    const events = longRun()
    expect(JSON.parse(json(events))).toEqual(reportOf(events))
  })
})

/** Returns the events of a loop with an inner loop. Its iterations start in threes and end in reverse order. */
function longRun(): RunEvent[] {
  const run = new RunRecorder()
  const loop = run.start("loop", "outer")
  for (let index = 0; index < 99; index += 3) {
    for (const started of [index, index + 1, index + 2])
      run.add(loop, { type: "iteration.started", index: started, value: `canary ${started}` })
    for (const ended of [index + 2, index + 1, index]) {
      const inner = run.start("loop", `inner-${ended}`, { parent: loop, iteration: ended })
      for (let nested = 0; nested < 70; nested++) {
        run.add(inner, { type: "iteration.started", index: nested, value: nested })
        const block = run.start("script", `canary-${nested}`, { parent: inner, iteration: nested })
        run.add(block, { type: "log.written", text: `canary, "${"quoted".repeat(5)}"` })
        run.finish(block)
        run.add(inner, { type: "iteration.finished", index: nested, status: "passed" })
      }
      run.finish(inner)
      run.add(loop, { type: "iteration.finished", index: ended, status: "passed" })
    }
  }
  run.finish(loop)
  return run.end()
}
