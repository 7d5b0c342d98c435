import { describe, expect, it } from "vitest"
import { exampleRun } from "./testing/example-run.ts"
import { joinReporters } from "./join.ts"
import type { Reporter } from "./reporter.ts"

const heard: string[] = []
const listener = (name: string): Reporter => ({
  onEvent: (event) => void heard.push(`${name} ${event.type}`),
  finish: () => void heard.push(`${name} finish`),
})

describe("joinReporters", () => {
  it("drops a reporter that throws, reports that once, and continues with the others", () => {
    heard.length = 0
    const broken: string[] = []
    const bad: Reporter = {
      ...listener("bad"),
      onEvent: () => {
        throw new TypeError("oh")
      },
    }
    const joined = joinReporters(
      [
        { name: "bad", reporter: bad, receives: "in-order" },
        { name: "good", reporter: listener("good"), receives: "in-order" },
      ],
      (name, error) => broken.push(`${name} ${String(error)}`),
    )
    for (const event of exampleRun()) joined.listen(event)
    joined.finish()
    expect(broken).toEqual(["bad TypeError: oh"])
    expect(heard).toHaveLength(exampleRun().length + 1)
    expect(heard.at(-1)).toBe("good finish")
  })

  it("passes each event to live reporters at once, and the stored stream to the others at the end", () => {
    heard.length = 0
    const joined = joinReporters(
      [
        { name: "live", reporter: listener("live"), receives: "in-order" },
        { name: "late", reporter: listener("late"), receives: "complete", reads: ["run.finished"] },
      ],
      () => undefined,
    )
    const [event] = exampleRun()
    joined.listen(event!)
    expect(heard).toEqual(["live run.started"])
    expect(joined.complete.map(({ reads }) => reads)).toEqual([["run.finished"]])
    joined.complete[0]!.listen(event!)
    joined.finish()
    expect(heard.slice(1)).toEqual(["late run.started", "live finish", "late finish"])
  })
})
