// Checks that the judge finds planted secrets. Otherwise, zero findings would mean nothing.

import { describe, expect, it } from "vitest"
import { canaries, canBeFound, twinOf } from "./canaries.ts"
import { encodings } from "./encodings.ts"
import { differenceOf, hitsIn } from "./judge.ts"

/** A report with a server's response, in the forms in which reports contain texts and bytes. */
const reportsOf = (bytes: Buffer): readonly string[] =>
  [bytes.toString("latin1"), bytes.toString("utf8"), bytes.toString("base64")].map(
    (text) => `{"version": 1, "runs": [{"body": ${JSON.stringify(text)}}]}`,
  )

describe("the judge", () => {
  it.each(Object.entries(encodings))("finds every canary that was leaked as %s", (_, encode) => {
    const isHit = (text: string, at: number): boolean =>
      reportsOf(encode(text, at).bytes).some((report) => hitsIn("sink", report, [text]).includes("sink: c00"))
    const missed = canaries.filter((canary, at) => canBeFound(canary) && !isHit(String(canary), at))
    expect(missed).toEqual([])
    const [ones, others] = [canaries, canaries.map(twinOf)].map((all) =>
      all.map((canary, at) => reportsOf(encode(String(canary), at).bytes)[0] ?? ""),
    )
    const alike = canaries.filter((_, at) => differenceOf("sink", ones![at]!, others![at]!).length === 0)
    expect(alike).toEqual([])
  })

  it("finds none in a masked report", () => {
    expect(hitsIn("sink", '{"runs": [{"status": "passed", "body": "*** a ***"}]}', canaries)).toEqual([])
  })

  it("finds what only the twins reveal, and ignores times", () => {
    const report = (value: unknown): string =>
      JSON.stringify({ status: "passed", durationMs: Math.random(), value })
    for (const canary of ["passed", "1", true]) {
      const damage = differenceOf("sink", report(canary), report(twinOf(canary)))
      expect(damage).toEqual([expect.stringContaining("differs with other secrets")])
    }
    expect(differenceOf("sink", report("***"), report("***"))).toEqual([])
    expect(differenceOf("sink", "***\n", "***\n***\n")).toHaveLength(1)
  })
})
