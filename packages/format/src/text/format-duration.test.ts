import { expect, it } from "vitest"
import { formatDuration } from "./format-duration.ts"

it.each([
  [0.4, "0 ms"],
  [87, "87 ms"],
  [1234, "1.2 s"],
  [59_960, "1 m 00 s"],
  [62_000, "1 m 02 s"],
  [3_600_000, "60 m 00 s"],
])("shows %d ms in the unit that fits: %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})
