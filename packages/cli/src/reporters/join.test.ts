import { describe, expect, it } from "vitest"
import { exampleRun } from "./testing/example-run.ts"
import { joinReporters, type JoinedReporter } from "./join.ts"

describe("joinReporters", () => {
  it("drops a reporter that throws, reports that once, and continues with the others", async () => {
    const heard: string[] = []
    const broken: string[] = []
    const good: JoinedReporter = {
      name: "good",
      onEvent: ({ type }) => void heard.push(type),
      finish: () => void heard.push("finish"),
    }
    const bad: JoinedReporter = {
      ...good,
      name: "bad",
      onEvent: () => {
        throw new TypeError("oh")
      },
    }
    const joined = joinReporters([bad, good], (name, error) => broken.push(`${name} ${String(error)}`))
    for (const event of exampleRun()) joined.listen?.(event, (same) => same)
    await joined.finish([], { exitCode: 0, durationMs: 1 })
    expect(broken).toEqual(["bad TypeError: oh"])
    expect(heard).toEqual([...exampleRun().map(({ type }) => type), "finish"])
  })
})
