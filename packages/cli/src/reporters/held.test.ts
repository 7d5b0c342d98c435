import { createHeldMask } from "@callsheet/engine"
import type { RunEvent } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { exampleRun, play } from "./example-run.ts"
import { createJson } from "./json.ts"
import { createJunit } from "./junit.ts"
import { createPretty } from "./pretty/pretty.ts"
import type { CreateReporter } from "./reporter.ts"

const reporters: readonly [string, CreateReporter][] = [
  ["json", createJson],
  ["junit", createJunit],
  ["pretty", createPretty],
]

/** Plays a run; before its last event it turns out that some texts are secret. */
function playWith(create: CreateReporter, ...secrets: readonly string[]): string {
  const held = createHeldMask()
  const learning: CreateReporter = (context) => {
    const reporter = create({ ...context, held })
    return {
      ...reporter,
      onEvent: (event: RunEvent) => {
        if (event.type === "run.finished") for (const secret of secrets) held.learn(secret)
        reporter.onEvent(event)
      },
      finish: () => reporter.finish(),
    }
  }
  return play(learning, exampleRun()).text
}

describe("what a reporter holds back", () => {
  it.each(reporters)("is masked by %s where it turns out to be secret", (_, create) => {
    expect(playWith(create)).toContain("gift")
    const text = playWith(create, "gift")
    expect(text).not.toContain("gift")
    expect(text).toContain("***")
  })

  it("leaves the tags of junit as they are", () => {
    const tags = (text: string) => text.match(/<\/?[a-z-]+|type="[^"]*"/g)
    const text = playWith(createJunit, "testcase", "message", "failure", "assertion-failed")
    expect(tags(text)).toEqual(tags(playWith(createJunit)))
  })
})
