import { describe, expect, it } from "vitest"
import type { FieldView } from "@callsheet/server/calls"
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
    { name: "codes", words: "array", kinds: ["array"], required: true, items: { words: "string" } },
  ],
}
const fields = bodyFields(type)

describe("fields of a documented body", () => {
  it("are paths into it, starting with those near the root", () => {
    expect(fields.map(({ path }) => path)).toEqual([
      "orderId",
      "amount",
      "lines",
      "codes",
      "amount.value",
      'amount["a.b"]',
      "lines.0",
      "codes.0",
      "lines.0.sku",
    ])
  })

  it("are required only where nothing replaces them", () => {
    const paths = (...set: string[]) => requiredFields(fields, set).map(({ path }) => path)
    expect(paths()).toEqual(["orderId", "codes", "amount.value"])
    expect(paths("amount")).toEqual(["orderId", "codes"])
    expect(paths("am")).toEqual(["orderId", "codes", "amount.value"])
    expect(paths("codes")).toContain("codes")
    expect(paths("codes.0", "orderId")).toEqual(["orderId", "amount.value"])
  })

  it("are found by a part of their path, and any other path is accepted", () => {
    expect(findFields("sku", fields, new Set()).map(({ text }) => text)).toEqual(["lines.0.sku", "sku"])
    expect(findFields("", fields, new Set(fields.map(({ path }) => path)))).toEqual([])
    const formOf = (path: string) => likelyForm(fields.find((field) => field.path === path)?.view)
    expect([formOf("amount.value"), formOf("codes")]).toEqual(["number", "json"])
    expect(likelyForm(undefined)).toBe("text")
  })
})
