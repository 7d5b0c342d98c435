import { describe, expect, it } from "vitest"
import type { FieldView } from "../../api.ts"
import { bodyFields, findFields, likelyForm, requiredFields } from "./body-fields.ts"

const line: FieldView = { words: "Line", fields: [{ name: "sku", words: "string", required: true }] }
const type: FieldView = {
  words: "Payment",
  fields: [
    { name: "orderId", words: "string", required: true },
    {
      name: "amount",
      words: "Money",
      required: true,
      fields: [
        { name: "value", words: "integer", kinds: ["number"], required: true },
        { name: "a.b", words: "string" },
      ],
    },
    { name: "lines", words: "array", items: line },
  ],
}
const fields = bodyFields(type)

describe("fields of a documented body", () => {
  it("are paths into it, those near the root first", () => {
    expect(fields.map(({ path }) => path)).toEqual([
      "orderId",
      "amount",
      "lines",
      "amount.value",
      'amount["a.b"]',
      "lines.0",
      "lines.0.sku",
    ])
  })

  it("are asked for where they must be there, and where nothing is given in their place", () => {
    const paths = (...set: string[]) => requiredFields(fields, set).map(({ path }) => path)
    expect(paths()).toEqual(["orderId", "amount.value"])
    expect(paths("amount")).toEqual(["orderId"])
    expect(paths("am")).toEqual(["orderId", "amount.value"])
  })

  it("are found by a part of their path, and any other path is taken too", () => {
    expect(findFields("sku", fields, new Set()).map(({ text }) => text)).toEqual(["lines.0.sku", "sku"])
    expect(findFields("", fields, new Set(fields.map(({ path }) => path)))).toEqual([])
    expect(likelyForm(fields[3]?.view)).toBe("number")
    expect(likelyForm(undefined)).toBe("text")
  })
})
