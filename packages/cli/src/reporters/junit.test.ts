import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { validateXML } from "xmllint-wasm"
import type { RunEvent } from "@callsheet/format"
import { exampleRun, render, RunRecorder, throughJson } from "./testing/example-run.ts"
import { writeJunit } from "./junit.ts"

const schema = readFileSync(new URL("junit.xsd", import.meta.url), "utf8")
const junit = (events: readonly RunEvent[]) => render(writeJunit, events)

async function schemaErrors(xml: string): Promise<readonly string[]> {
  const { errors } = await validateXML({ xml: [{ fileName: "report.xml", contents: xml }], schema: [schema] })
  return errors.map(({ message }) => message)
}

const hostile = 'a\u001b[31m\u0000\uffff\ud800]]><failure/>&amp;"\n\t\r'

function hostileRun(): RunEvent[] {
  const run = new RunRecorder({
    workflow: hostile,
    environments: { [hostile]: { name: hostile, level: "local" } },
  })
  run.warn({ code: "level-unset", message: hostile })
  const block = run.start("script", hostile)
  run.add(block, { type: "log.written", text: hostile })
  run.finish(block, { status: "failed", error: { code: "script-error", message: hostile, hint: hostile } })
  return run.end({ status: "failed" })
}

describe("junit", () => {
  it("matches the schema that CI systems use", async () => {
    expect(await schemaErrors(junit(exampleRun()))).toEqual([])
  })

  it("is rejected by the schema if it should be", async () => {
    expect(await schemaErrors('<testsuites><testsuite name="x" tests="one"/></testsuites>')).not.toEqual([])
    expect(await schemaErrors('<testsuites><testcase name="x"/></testsuites>')).not.toEqual([])
  })

  it("is well-formed for any text", async () => {
    const xml = junit(hostileRun())
    expect(await schemaErrors(xml)).toEqual([])
    expect(xml).toContain("&lt;failure/&gt;&amp;amp;")
    expect(xml.match(/<failure/g)).toHaveLength(1)
  })

  it("spells out invisible control characters", async () => {
    const run = new RunRecorder()
    const block = run.start("script", "s")
    run.add(block, { type: "log.written", text: "a\u0085\u202eb" })
    run.finish(block, { status: "failed", error: { code: "script-error", message: "c\u009b\u2066d" } })
    const xml = junit(run.end({ status: "failed" }))
    expect(xml).not.toMatch(/[\u007f-\u009f\u202e\u2066]/)
    expect(xml).toContain("a\\u0085\\u202eb")
    expect(xml).toContain("c\\u009b\\u2066d")
    expect(await schemaErrors(xml)).toEqual([])
  })

  it("is well-formed with a message of 10 MB, in linear time", () => {
    const run = new RunRecorder()
    const block = run.start("script", "s")
    run.finish(block, { status: "failed", error: { code: "script-error", message: hostile.repeat(400_000) } })
    const started = process.cpuUsage()
    const xml = junit(run.end({ status: "failed" }))
    expect(process.cpuUsage(started).user).toBeLessThan(10_000_000)
    expect(xml.match(/<failure /g)).toHaveLength(1)
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\uffff]|\]\]>/)
  })

  it("writes the same for events after a JSON round trip", () => {
    expect(junit(throughJson(exampleRun()))).toBe(junit(exampleRun()))
  })

  it("counts the test cases that it lists", () => {
    const xml = junit([...exampleRun(), ...hostileRun()])
    expect(xml.match(/<testcase /g)).toHaveLength(11)
    expect(xml.match(/<failure /g)).toHaveLength(2)
    expect(xml.match(/<skipped /g)).toHaveLength(2)
    expect(xml).toContain('<testsuites name="callsheet" tests="11" failures="2" errors="0" time="2.468">')
    expect(xml).toContain(
      'tests="10" failures="1" errors="0" skipped="2" time="1.234" timestamp="2026-11-21T04:05:06"',
    )
  })

  it("names a block by its path, with its workflow as the class", () => {
    expect(junit(exampleRun())).toContain(
      '<testcase name="lines › [1] › line-1" classname="checkout" time="0.012"/>',
    )
  })

  it.each([
    { ids: Array.from({ length: 14 }, () => "deep") },
    { ids: ["plain", "two words", hostile, "[1]"] },
  ])("names a block the same with and without logs: $ids", ({ ids }) => {
    const named = (hasLogs: boolean): unknown => {
      const run = new RunRecorder({ workflow: hostile })
      let place: { parent: number; iteration?: number } = { parent: run.start("loop", "each"), iteration: 7 }
      for (const id of ids) {
        const block = run.start("assert", id, place)
        if (hasLogs) run.add(block, { type: "log.written", text: "a log" })
        run.finish(block)
        if (id === "deep") place = { parent: run.start("group", id, place) }
      }
      return junit(run.end()).match(/<testcase [^>]*?(?=\/?>)/g)
    }
    expect(named(false)).toHaveLength(ids.length)
    expect(named(false)).toEqual(named(true))
  })

  it("lists a request's violations among the warnings of its suite, and with its block's failure", async () => {
    const run = new RunRecorder()
    const problems = [{ path: "/body", message: "POST /a requires a body, and none is sent" }]
    const said = "request /body: POST /a requires a body, and none is sent"
    for (const status of ["passed", "failed"] as const) {
      const call = run.start("request", status)
      run.add(call, { type: "request.checked", problems })
      run.finish(
        call,
        status === "passed" ? {} : { status, error: { code: "request-timeout", message: "late" } },
      )
    }
    const xml = junit(run.end({ status: "failed" }))
    expect(await schemaErrors(xml)).toEqual([])
    expect(xml).toContain(`<system-err>passed: ${said}\nfailed: ${said}</system-err>`)
    expect(xml).toContain(`! ${said}</failure>`)
  })

  it("reports a container as failed only if it failed itself, not a block in it", () => {
    const run = new RunRecorder()
    for (const code of ["until-exhausted", "child-failed"] as const) {
      const loop = run.start("loop", code)
      run.finish(loop, { status: "failed", error: { code, message: "no" } })
    }
    const xml = junit(run.end({ status: "failed" }))
    expect(xml).toContain('name="until-exhausted"')
    expect(xml).not.toContain('name="child-failed"')
    expect(xml).toContain('tests="1" failures="1"')
  })

  it("reports a run that could not start as an error", async () => {
    const xml = junit(
      new RunRecorder().end({
        status: "error",
        error: {
          code: "env-missing",
          message: "1 problem",
          problems: [{ code: "env-missing", severity: "error", message: "no such", hint: "look" }],
        },
      }),
    )
    expect(await schemaErrors(xml)).toEqual([])
    expect(xml).toContain('tests="1" failures="0" errors="1"')
    expect(xml).toContain(
      '<error message="1 problem" type="env-missing">no such (env-missing)\n  hint: look</error>',
    )
  })
})
