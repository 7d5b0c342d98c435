import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { createPacedReads } from "./paced-reads.ts"

/** Creates reads of this duration, and records when each starts. */
function readsOf(timeMs: number) {
  const began: number[] = []
  const reads = createPacedReads(async () => {
    began.push(performance.now())
    await new Promise((resolve) => setTimeout(resolve, timeMs))
  })
  return { began, reads }
}

const pass = (timeMs: number) => vi.advanceTimersByTimeAsync(timeMs)

describe("paced reads", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 0, toFake: ["setTimeout", "clearTimeout", "performance"] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it("start at once, and combine requests meanwhile into one more read, after four times as long", async () => {
    const { began, reads } = readsOf(1000)
    for (let time = 0; time < 10; time++) reads.ask("later")
    await pass(20_000)
    expect(began).toEqual([0, 5000])
  })

  it("skip the pause on demand, and still run one at a time", async () => {
    const { began, reads } = readsOf(1000)
    reads.ask("later")
    reads.ask("later")
    await pass(2000)
    reads.ask("now")
    await pass(500)
    reads.ask("now")
    reads.ask("later")
    await pass(20_000)
    expect(began).toEqual([0, 2000, 3000])
  })

  it("pause briefly after a quick one too, and stop if nothing requests them", async () => {
    const { began, reads } = readsOf(1)
    reads.ask("later")
    await pass(2)
    reads.ask("later")
    await pass(20_000)
    expect(began).toEqual([0, 301])
    reads.ask("later")
    await pass(20_000)
    expect(began).toEqual([0, 301, 20_002])
  })
})
