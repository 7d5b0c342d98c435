import { describe, expect, it } from "vitest"
import { savedValues } from "./saved-values.ts"

const saved = {
  version: 1,
  operation: "createOrder",
  params: { path: { id: "7" }, header: { "x-a": "1" } },
  body: { book: 1, to: { name: "Ada", city: "Paris" }, tags: [] },
}

describe("the values of a saved request in a block", () => {
  it("are shown where the block doesn't override them", () => {
    const overrides = { params: { path: { id: "8" }, query: { q: "x" } }, body: { "to.name": "Grace" } }
    const { shown, inherited, own } = savedValues(overrides, saved)
    expect(shown).toEqual({
      params: { path: { id: "8" }, header: { "x-a": "1" }, query: { q: "x" } },
      body: { book: 1, "to.name": "Grace", "to.city": "Paris", tags: [] },
    })
    expect(inherited).toEqual([
      ["params", "path", "id"],
      ["params", "header", "x-a"],
      ["body", "book"],
      ["body", "to.name"],
      ["body", "to.city"],
      ["body", "tags"],
    ])
    expect(own).toEqual([
      ["params", "path", "id"],
      ["params", "query", "q"],
      ["body", "to.name"],
    ])
  })

  it("leave out what an override replaces as a whole, and bodies that overrides can't change", () => {
    const { shown } = savedValues({ body: { to: {} } }, saved)
    expect(shown["body"]).toEqual({ book: 1, tags: [], to: {} })
    expect(savedValues({}, { ...saved, bodyType: "form" }).shown["body"]).toEqual({})
    expect(savedValues({}, undefined)).toEqual({ shown: { params: {}, body: {} }, inherited: [], own: [] })
  })
})
