import { expect, it } from "vitest"
import { age, timeOrDay } from "./formats.ts"

const now = Date.parse("2026-03-10T12:00:00Z")

it.each([
  ["2026-03-10T12:00:30Z", "just now"],
  ["2026-03-10T11:59:01Z", "just now"],
  ["2026-03-10T11:59:00Z", "1 min ago"],
  ["2026-03-10T11:00:01Z", "59 min ago"],
  ["2026-03-10T11:00:00Z", "1 h ago"],
  ["2026-03-09T12:00:00Z", "1 day ago"],
  ["2026-03-04T12:00:00Z", "6 days ago"],
  ["2026-03-03T12:00:00Z", "3 Mar 2026"],
  ["?", "?"],
])("says that %s is %s", (time, words) => {
  expect(age(time, now)).toBe(words)
})

it("says the time of today, and the date of another day", () => {
  const at = new Date(2026, 2, 10, 9, 5)
  expect(timeOrDay(at.toISOString(), new Date(2026, 2, 10, 23, 59))).toBe("09:05")
  expect(timeOrDay(at.toISOString(), new Date(2026, 2, 11, 0, 1))).toBe("10 Mar 2026")
  expect(timeOrDay("?")).toBe("?")
})
