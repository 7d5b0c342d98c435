import { expect, it } from "vitest"
import { plainDescription } from "./plain-description.ts"

it.each([
  ["The `limit` of\none **page**.\r\n\r\nAt most 100.", "The limit of one page."],
  ["  snake_case_name \n", "snake_case_name"],
  ["", ""],
  ["\u202etxt", "[U+202E]txt"],
])("says the first paragraph of %j as plain text", (text, plain) => {
  expect(plainDescription(text)).toBe(plain)
})
