import { describe, expect, it } from "vitest"
import { createSuggester, didYouMean, suggest } from "./did-you-mean.ts"

describe("didYouMean", () => {
  it.each([
    ["timeuot", ["baseUrl", "timeout"], "timeout"],
    ["onFailiure", ["onFailure", "blocks"], "onFailure"],
    ["headers", ["query", "path", "header", "cookie"], "header"],
    ["Staging", ["staging", "local"], "staging"],
    ["apikey", ["apiKey"], "apiKey"],
    ["stagingg", ["staging", "string"], "staging"],
    ["delay", ["delayMs", "mode"], "delayMs"],
    ["export", ["exportName", "name"], "exportName"],
  ])("treats %s as a misspelling", (word, known, expected) => {
    expect(didYouMean(word, known)).toBe(expected)
  })

  it("suggests nothing if nothing is close", () => {
    expect(didYouMean("password", ["timeout", "baseUrl"])).toBeUndefined()
    expect(didYouMean("ab", ["cd"])).toBeUndefined()
    expect(didYouMean("x", [])).toBeUndefined()
    expect(didYouMean("list", ["listOrders", "listProducts"])).toBeUndefined()
  })

  it("rejects a pasted megabyte at once", () => {
    const start = performance.now()
    expect(didYouMean("x".repeat(1_000_000), ["y".repeat(1_000_000), "x"])).toBeUndefined()
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})

describe("createSuggester", () => {
  it("suggests what suggest does, and stops after a thousand different words", () => {
    const hintFor = createSuggester(["timeout"])
    for (let index = 0; index < 999; index++) expect(hintFor(`x${index}`)).toBeUndefined()
    expect(hintFor("timeuot")).toBe('did you mean "timeout"?')
    expect(hintFor("timeouts")).toBeUndefined()
    expect(hintFor("timeuot")).toBe('did you mean "timeout"?')
  })
})

describe("suggest", () => {
  it("asks with the name in quotes", () => {
    expect(suggest("timeuot", ["timeout"])).toBe('did you mean "timeout"?')
    expect(suggest("timeuot", [])).toBeUndefined()
  })
})
