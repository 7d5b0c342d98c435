import fc from "fast-check"
import { expect, test } from "vitest"
import { NumberTable } from "./number-table.ts"

const step = fc.oneof(
  fc.record({ does: fc.constant("set" as const), number: fc.nat(40) }),
  fc.record({ does: fc.constant("delete" as const), number: fc.nat(40) }),
)

test("behaves like a Map in numeric order under any sequence of inserts and deletes", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.constantFrom(1, 16, 1000), (steps, factor) => {
      const table = new NumberTable<string>()
      const map = new Map<number, string>()
      for (const [at, { does, number }] of steps.entries()) {
        const key = number * factor
        if (does === "delete") {
          table.delete(key)
          map.delete(key)
        } else {
          table.set(key, `value ${at}`)
          map.set(key, `value ${at}`)
        }
        expect(table.get(key)).toBe(map.get(key))
      }
      expect(table.entries()).toEqual([...map].sort(([a], [b]) => a - b))
    }),
  )
})

test("stays as small as the window when a window moves over many numbers", () => {
  const table = new NumberTable<number>()
  for (let number = 0; number < 10_000; number++) {
    table.set(number, number)
    if (number >= 64) table.delete(number - 64)
  }
  expect(table.entries().map(([number]) => number)).toEqual(Array.from({ length: 64 }, (_, at) => 9936 + at))
  expect(table.get(9935)).toBeUndefined()
})
