import { describe, expect, it } from "vitest"
import { checkResult, nameValue } from "./check-result.ts"

function nest(levels: number): object {
  let value = {}
  for (let level = 1; level < levels; level++) value = { value }
  return value
}

describe("the result of a transform", () => {
  it("is a copy, so a getter is read once", () => {
    let reads = 0
    const checked = checkResult("transform", {
      get once() {
        return ++reads
      },
    })
    expect(checked).toEqual({ ok: true, result: { once: 1 } })
    expect(reads).toBe(1)
  })

  it("keeps a shared value, but not a cyclic one", () => {
    const shared = { list: [1, 2] }
    expect(checkResult("transform", { a: shared, b: [shared, shared] })).toEqual({
      ok: true,
      result: { a: { list: [1, 2] }, b: [{ list: [1, 2] }, { list: [1, 2] }] },
    })
    let laughs: unknown = ["ha", "ha", "ha", "ha", "ha", "ha", "ha", "ha"]
    for (let level = 0; level < 12; level++) laughs = Array.from({ length: 8 }, () => laughs)
    expect(checkResult("transform", { laughs })).toMatchObject({
      ok: false,
      returned: "a value larger than 50 MiB",
    })
  })

  it("keeps a member named __proto__ as a member", () => {
    const checked = checkResult("transform", JSON.parse('{"__proto__": {"a": 1}}'))
    expect(JSON.stringify(checked)).toBe('{"ok":true,"result":{"__proto__":{"a":1}}}')
  })

  it.each([
    ["a hole at the end", { list: Object.assign([], { length: 3 }) }, ["list"]],
    ["named properties of an array", { list: Object.assign([1], { name: 1 }) }, ["list"]],
    ["undefined in an array", { list: [1, undefined] }, ["list", 1]],
    ["a boxed number", { n: Object(1) as unknown }, ["n"]],
    ["an infinite number", { a: [{ b: -Infinity }] }, ["a", 0, "b"]],
  ])("rejects %s and reports where", (_what, value, at) => {
    expect(checkResult("transform", value)).toMatchObject({ ok: false, at })
  })

  it("is at most a thousand levels deep", () => {
    expect(checkResult("transform", nest(1000))).toMatchObject({ ok: true })
    expect(checkResult("transform", nest(1001))).toMatchObject({ ok: false })
  })
})

describe("a value's name", () => {
  it.each([
    [undefined, "nothing"],
    [null, "null"],
    [Number.NaN, "NaN"],
    ["yes", 'the string "yes"'],
    ["x".repeat(100), "a string of 100 characters"],
    [{}, "an object"],
    [Object.create({}), "an object with its own prototype"],
    [new Map(), "an instance of Map"],
    [Promise.resolve(), "a promise"],
    [Symbol("x"), "a symbol"],
    [12n, "a big integer"],
  ])("of %o", (value, name) => {
    expect(nameValue(value)).toBe(name)
  })
})
