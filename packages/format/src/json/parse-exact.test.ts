import { expect, it } from "vitest"
import { integersAsText, parseExact } from "./parse-exact.ts"
import { stringifyJson } from "./stringify.ts"

it.each([
  "9007199254740993",
  "-12345678901234567890",
  '{"a":[1.10,{"__proto__":123456789012345678901234567890}],"b":"12345678901234567890"}',
  "[1e400]",
  "[9007199254740991,1.2345678901234567]",
])("reads %s with all digits of its integers", (text) => {
  if (text === "[1e400]") expect(parseExact(text)).toEqual([Infinity])
  else expect(stringifyJson(parseExact(text))).toBe(text.replace("1.10", "1.1"))
})

it("throws for text that is not JSON", () => {
  expect(() => parseExact("{")).toThrow(SyntaxError)
  expect(() => parseExact("[12345678901234567890,]")).toThrow(SyntaxError)
})

it("writes big integers as text for JSON.stringify, in a copy", () => {
  const value = parseExact<object>(
    '{"id":12345678901234567890,"all":[{"__proto__":-9007199254740993},1,null]}',
  )
  expect(JSON.stringify(integersAsText(value))).toBe(
    '{"id":"12345678901234567890","all":[{"__proto__":"-9007199254740993"},1,null]}',
  )
  expect(stringifyJson(value)).toContain(":12345678901234567890,")
})

it("returns the same value without big integers, and nests without limit", () => {
  let deep: object = {}
  for (let level = 0; level < 20_000; level++) deep = { deep }
  expect(integersAsText(deep)).toBe(deep)
})
