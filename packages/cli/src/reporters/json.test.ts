import { describe, expect, it } from "vitest"
import { createReportFold, parseJson, type RunEvent } from "@callsheet/format"
import { exampleRun, play, RunRecorder, throughJson } from "./testing/example-run.ts"
import { createJson } from "./json.ts"

const json = (events: readonly RunEvent[]) => play(createJson, events).text

function reportOf(events: readonly RunEvent[]): unknown {
  const fold = createReportFold()
  for (const event of events) fold.apply(event)
  return fold.report
}

describe("json", () => {
  it("writes the report that the events make", () => {
    const events = [...exampleRun(), ...new RunRecorder({ run: 1, workflow: "other" }).end()]
    expect(JSON.parse(json(events))).toEqual(reportOf(events))
  })

  it("says the same of events that went through JSON", () => {
    expect(json(throughJson(exampleRun()))).toBe(json(exampleRun()))
  })

  it("RP-16: has no blocks where the run could not start", () => {
    const error = { code: "env-missing", message: "no", problems: [] } as const
    const events = new RunRecorder().end({ status: "error", error })
    expect(JSON.parse(json(events))).toMatchObject({ status: "error", runs: [{ error, blocks: [] }] })
  })

  it("is a document where nothing ran", () => {
    expect(JSON.parse(json([]))).toEqual({ version: 1, status: "passed", durationMs: 0, runs: [] })
  })

  it("puts each block on a line of its own", () => {
    const lines = json(exampleRun()).split("\n")
    expect(lines.filter((line) => line.includes('"id":"create"'))).toHaveLength(1)
    expect(lines.length).toBeGreaterThan(15)
  })

  it("escapes what a terminal obeys but nobody sees, and says the same", () => {
    const text = "a\u0085\u009b31m\u202eb\u2066c\ufeff##vso[d]"
    const run = new RunRecorder()
    const block = run.start("script", "s")
    run.tell(block, { type: "log.written", text })
    run.finish(block)
    const written = json(run.end())
    expect(written).not.toMatch(/[\u007f-\u009f\u202e\u2066\ufeff]|##vso/)
    expect(JSON.parse(written)).toMatchObject({ runs: [{ blocks: [{ logs: [text] }] }] })
  })

  it("keeps the digits of big integers", () => {
    const run = new RunRecorder({ inputs: { id: 9007199254740993n } })
    expect(json(run.end())).toContain('"inputs":{"id":9007199254740993}')
  })

  it("RP-17: is valid JSON in valid UTF-8 whatever the text holds", () => {
    const run = new RunRecorder()
    const block = run.start("script", "s")
    run.tell(block, { type: "log.written", text: '\ud800\u0000"\u2028</script>' })
    run.finish(block)
    const text = json(run.end())
    expect(Buffer.from(text).toString()).toBe(text)
    expect(JSON.parse(text)).toMatchObject({
      runs: [{ blocks: [{ logs: ['\ud800\u0000"\u2028</script>'] }] }],
    })
  })

  it("writes groups nested without bound", () => {
    const run = new RunRecorder()
    const numbers = Array.from({ length: 10_000 }, (_, index) =>
      run.start("group", `g${index}`, index === 0 ? {} : { parent: index - 1 }),
    )
    for (const number of numbers.reverse()) run.finish(number)
    expect(parseJson(json(run.end())).ok).toBe(true)
  })
})
