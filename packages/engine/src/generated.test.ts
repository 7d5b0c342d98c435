import { expect, it } from "vitest"
import type { JsonValue } from "@callsheet/format"
import { bigIntegersIn, noteTimes, readTime, type BlockTimes } from "./generated.ts"

const big = 9007199254740993n

it.each<[JsonValue, readonly string[]]>([
  [big, [""]],
  [null, []],
  [{ id: big, "a/b~": { id: 1, more: [0, big] } }, ["/id", "/a~1b~0/more/1"]],
  [{ id: 1, list: [{}, [], "9007199254740993"] }, []],
])("finds the integers beyond 2^53 in value %#", (value, pointers) => {
  expect([...bigIntegersIn(value)].sort()).toEqual([...pointers].sort())
})

it("keeps 10,000 times that a block reads, and all that its scripts read", () => {
  const times: BlockTimes = { now: () => 7 }
  noteTimes(times, [])
  expect(times.read).toBeUndefined()
  for (let count = 0; count < 10_001; count++) expect(readTime(times)).toBe(7)
  expect(times.read).toHaveLength(10_000)
  noteTimes(times, [8, 9])
  expect(times.read?.slice(-3)).toEqual([7, 8, 9])
})
