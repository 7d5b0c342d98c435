import { describe, expect, it } from "vitest"
import { getOrCreate, memo, once } from "./memo.ts"

describe("getOrCreate", () => {
  it("creates a value once per key, even if it is undefined", () => {
    const made: string[] = []
    const store = new Map<string, number | undefined>()
    const lengthOf = (key: string) =>
      getOrCreate(store, key, (text) => {
        made.push(text)
        return text === "" ? undefined : text.length
      })
    expect(["ab", "", "ab", ""].map(lengthOf)).toEqual([2, undefined, 2, undefined])
    expect(made).toEqual(["ab", ""])
  })

  it("stores nothing if creating the value throws", () => {
    const store = new Map<string, number>()
    const fail = () => {
      throw new Error("not now")
    }
    expect(() => getOrCreate(store, "key", fail)).toThrow("not now")
    expect(getOrCreate(store, "key", () => 1)).toBe(1)
  })
})

describe("memo", () => {
  it("keeps one result per object, whatever else is passed", () => {
    const of = memo((key: { readonly name: string }, suffix: string) => ({ text: key.name + suffix }))
    const [a, b] = [{ name: "a" }, { name: "a" }]
    expect(of(a, "1")).toBe(of(a, "2"))
    expect(of(b, "2")).toEqual({ text: "a2" })
  })
})

describe("once", () => {
  it("calls the function at most once", () => {
    let count = 0
    const next = once(() => ++count)
    expect([next(), next()]).toEqual([1, 1])
  })
})
