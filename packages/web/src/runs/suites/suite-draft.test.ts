import { describe, expect, it } from "vitest"
import { entryWords, newSuite, suiteDraft, suiteFields, withMoved } from "./suite-draft.ts"

describe("the draft of a suite", () => {
  it("is written as it was read, and leaves out what is empty", () => {
    const suite = {
      description: "All.",
      before: ["login"],
      workflows: ["a-*", { workflow: "pay", as: "twice", retries: 2 }],
      env: { shop: "local" },
    }
    const written = Object.fromEntries(suiteFields(suiteDraft(suite)))
    expect(JSON.parse(JSON.stringify(written))).toEqual(suite)
    expect(JSON.parse(JSON.stringify(Object.fromEntries(suiteFields(newSuite(["a"])))))).toEqual({
      workflows: ["a"],
    })
  })

  it("names each entry and the fields that it doesn't show", () => {
    expect(entryWords("a-*")).toEqual({ name: "a-*", more: "" })
    expect(entryWords({ workflow: "pay", as: "twice", retries: 2, inputs: {} })).toEqual({
      name: "pay as twice",
      more: "retries, inputs",
    })
  })

  it("moves an entry by one place, and not past an end", () => {
    expect(withMoved(["a", "b", "c"], 0, 1)).toEqual(["b", "a", "c"])
    expect(withMoved(["a", "b", "c"], 2, -1)).toEqual(["a", "c", "b"])
    expect(withMoved(["a", "b"], 0, -1)).toEqual(["a", "b"])
  })
})
