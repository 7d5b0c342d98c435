import { describe, expect, it } from "vitest"
import fc from "fast-check"
import { formatPath, parsePath, resolveSegments } from "./path.ts"
import type { JsonValue } from "../json/value.ts"

const walk = (value: JsonValue, path: string) => {
  const parsed = parsePath(path)
  if (!parsed.ok) throw new Error(parsed.message)
  return resolveSegments(value, parsed.segments)
}

describe("parsePath", () => {
  it.each([
    ["a.b.0.c", ["a", "b", "0", "c"]],
    ["a[0].b", ["a", "0", "b"]],
    ['a["key.with.dots"].c', ["a", "key.with.dots", "c"]],
    ['a[""]', ["a", ""]],
    [String.raw`a["q\"uote"]`, ["a", 'q"uote']],
    ["name with blanks.b", ["name with blanks", "b"]],
    ["ключ.b", ["ключ", "b"]],
  ])("reads %s", (text, segments) => {
    expect(parsePath(text)).toEqual({ ok: true, segments })
  })

  it.each([
    "",
    ".",
    "a.",
    ".a",
    "a..b",
    "a[",
    "a[]",
    "a[01]",
    "a[-1]",
    'a["x',
    'a["x]',
    "a[0]b",
    "a.[0]",
    "a]b",
    "{a}",
  ])("rejects %j", (text) => {
    expect(parsePath(text)).toMatchObject({ ok: false })
  })

  it("reads back what formatPath writes", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" }), { minLength: 1 }), (segments) => {
        expect(parsePath(formatPath(segments))).toEqual({ ok: true, segments })
      }),
    )
  })
})

describe("resolveSegments", () => {
  it("keeps a null value of a key", () => {
    expect(walk({ a: { b: null } }, "a.b")).toEqual({ found: true, value: null })
  })

  it.each([
    "constructor",
    "__proto__",
    "toString",
    "a.length",
    "a.-1",
    "a.01",
    "a.2",
    "s.0",
    "s.length",
    "n.x",
  ])("does not resolve %s", (path) => {
    expect(walk({ a: [1, 2], s: "text", n: null }, path)).toMatchObject({ found: false })
  })

  it("resolves a key of any name that the value itself has", () => {
    const value = JSON.parse('{"__proto__": {"constructor": 1}, "length": 2}') as JsonValue
    expect(walk(value, "__proto__.constructor")).toEqual({ found: true, value: 1 })
    expect(walk(value, "length")).toEqual({ found: true, value: 2 })
  })
})
