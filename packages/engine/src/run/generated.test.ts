import { expect, it } from "vitest"
import type { BlockTimes } from "../ports.ts"
import { noteTimes, readTime } from "./generated.ts"

it("keeps 10,000 times that a block reads, and all that its scripts read", () => {
  const times: BlockTimes = { now: () => 7 }
  noteTimes(times, [])
  expect(times.read).toBeUndefined()
  for (let count = 0; count < 10_001; count++) expect(readTime(times)).toBe(7)
  expect(times.read).toHaveLength(10_000)
  noteTimes(times, [8, 9])
  expect(times.read?.slice(-3)).toEqual([7, 8, 9])
})
