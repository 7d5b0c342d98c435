import type { MaskAgain } from "@callsheet/engine"
import { describe, expect, it } from "vitest"
import { exampleRun, maskWithout, play, RunRecorder } from "../testing/example-run.ts"
import { createPretty } from "./pretty.ts"

const pretty = (maskAgain?: MaskAgain, events = exampleRun()) =>
  play(createPretty, events, maskAgain === undefined ? {} : { maskAgain }).text

describe("what pretty prints with a delay", () => {
  it("contains no value that turned out to be secret meanwhile", () => {
    expect(pretty()).toContain("gift")
    const text = pretty(maskWithout(["gift"]))
    expect(text).not.toContain("gift")
    expect(text).toContain("***")
  })

  it("keeps its keywords, whatever turned out to be secret", () => {
    const words = ["passed", "failed", "skipped", "workflow", "iteration", "expected", "checkout"]
    const own = (text: string) => words.map((word) => text.split(word).length)
    const run = new RunRecorder()
    const group = run.start("group", "g")
    run.finish(run.start("request", "a", { parent: group }))
    run.finish(run.start("assert", "b", { parent: group }), {
      status: "failed",
      error: { code: "assertion-failed", message: "no" },
    })
    run.finish(group)
    const events = run.end()
    expect(own(pretty(maskWithout([...words]), events))).toEqual(own(pretty(undefined, events)))
  })

  it("is masked in lines, notes and logs of a container that was still open", () => {
    const run = new RunRecorder()
    const group = run.start("group", "g")
    const inner = run.start("script", "of t0ken", { parent: group })
    run.add(inner, { type: "log.written", text: "is t0ken" })
    run.warn({ code: "status-unread", message: "t0ken got status 500" }, inner)
    run.finish(inner)
    run.finish(group)
    const events = run.end()
    expect(pretty(undefined, events).split("t0ken")).toHaveLength(4)
    const text = pretty(maskWithout(["t0ken"]), events)
    expect(text.split("***")).toHaveLength(4)
    expect(text).not.toContain("t0ken")
  })
})
