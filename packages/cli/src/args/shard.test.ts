import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { assignShards } from "./shard.ts"

const names = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`)

describe("shards", () => {
  it("are close to each other for 60 workflows of skewed durations", () => {
    // The longest takes 60 times as long as the shortest.
    const timings = new Map(names(60).map((name, at) => [name, 6000 / (at + 1)]))
    const loads = [0, 0, 0, 0]
    for (const [at, shard] of assignShards(names(60), 4, timings).entries())
      loads[shard - 1]! += timings.get(`w${at}`)!
    const mean = loads.reduce((sum, load) => sum + load, 0) / 4
    expect(Math.max(...loads) / mean).toBeLessThanOrEqual(1.15)
  })

  it("contain everything once, and no shard takes longer than any other without its shortest workflow", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 50 }),
        fc.integer({ min: 1, max: 8 }),
        (durations, count) => {
          const timings = new Map(durations.map((duration, at) => [`w${at}`, duration]))
          const shards = assignShards(names(durations.length), count, timings)
          expect(shards).toHaveLength(durations.length)
          const parts = Array.from({ length: count }, (_, index) =>
            durations.filter((_duration, at) => shards[at] === index + 1),
          )
          const loads = parts.map((part) => part.reduce((sum, duration) => sum + duration, 0))
          for (const [at, part] of parts.entries())
            if (part.length > 0)
              expect(loads[at]! - Math.min(...part)).toBeLessThanOrEqual(Math.min(...loads))
        },
      ),
    )
  })

  it("count workflows without a duration as the median", () => {
    const timings = new Map([
      ["w0", 10],
      ["w1", 100],
      ["w2", 1000],
    ])
    expect(assignShards(["w2", "new", "w1", "w0"], 2, timings)).toEqual([1, 2, 2, 2])
  })
})
