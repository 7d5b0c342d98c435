import { describe, expect, it } from "vitest"
import { echo, runBlocks } from "./shop-project.ts"

const LEVELS = 10_000
const check = `{"source":"x","operator":"notExists"}`
const open: Readonly<Record<string, (level: number) => string>> = {
  condition: (level) => `{"id":"c${level}","type":"condition","if":${check},"then":[`,
  times: (level) => `{"id":"c${level}","type":"loop","mode":"times","count":1,"iteratorVar":"i","blocks":[`,
  parallel: (level) =>
    `{"id":"c${level}","type":"loop","mode":"times","count":1,"execution":"parallel","blocks":[`,
  until: (level) => `{"id":"c${level}","type":"loop","mode":"until","until":${check},"blocks":[`,
  group: (level) => `{"id":"c${level}","type":"group","blocks":[`,
}

const nest = (kind: string): string =>
  Array.from({ length: LEVELS }, (_, level) => open[kind]!(level)).join("") +
  JSON.stringify(echo("bottom")) +
  "]}".repeat(LEVELS)

const run = (blocks: string) =>
  runBlocks([], {
    files: () => ({
      "apis/workflow/w.json": `{"version":1,"inputs":{"x":{"type":"string"}},"blocks":[${blocks}]}`,
    }),
  })

describe(`${LEVELS} levels`, () => {
  it.each(["condition", "times", "parallel", "until"])("of %s run and are reported", async (kind) => {
    const { exitCode, stderr, block, run: report } = await run(nest(kind))
    expect([exitCode, stderr]).toEqual([0, ""])
    expect(block("bottom").status).toBe("passed")
    expect(report.counts).toEqual({ passed: LEVELS + 1, failed: 0, skipped: 0 })
  })

  it.each([
    ["halted", '{"id":"bad","type":"assert","assertions":[{"source":"x","operator":"exists"}]},', ""],
    ["branch", `{"id":"if","type":"condition","if":${check},"then":[],"else":[`, "]}"],
  ])("that are skipped (%s) are reported", async (reason, before, after) => {
    const { block, run: report, stderr } = await run(`${before}${nest("group")}${after}`)
    expect(stderr).toBe("")
    expect(block("bottom")).toMatchObject({ status: "skipped", reason })
    expect(report.counts.skipped).toBe(LEVELS + 1)
  })

  it("of nested tokens are rejected", async () => {
    const token = `${"{{".repeat(LEVELS)}a${"}}".repeat(LEVELS)}`
    const { exitCode, run: report } = await run(JSON.stringify(echo("get", { x: token })))
    expect(exitCode).toBe(2)
    expect(report.error?.message).toContain("placeholders are nested more than 100 deep (token-malformed)")
  })
})
