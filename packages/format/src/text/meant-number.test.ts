import { expect, it } from "vitest"
import { meantNumber } from "./meant-number.ts"

it.each([
  ["5s", 5000],
  ["5 s", 5000],
  ["1m", 60_000],
  ["2min", 120_000],
  ["1h", 3_600_000],
  ["0.5", 500],
  ["1.5s", 1500],
  [".5s", 500],
  ["250ms", 250],
  ["5 seconds", 5000],
  ["1_000", 1000],
  ["1,000", 1000],
  ["1e3", 1000],
  ["5", 5],
  ["5x", undefined],
  ["s", undefined],
  ["", undefined],
  ["-5s", undefined],
  ["9".repeat(20), undefined],
])("reads the milliseconds %j as %j", (text, number) => {
  expect(meantNumber(text, "ms")).toBe(number)
})

it.each([
  ["80%", 80],
  ["1.0", 1],
  [" 8 ", 8],
  ["1,000", 1000],
  ["8x", undefined],
  ["5s", undefined],
])("reads the number %j as %j", (text, number) => {
  expect(meantNumber(text, undefined)).toBe(number)
})
