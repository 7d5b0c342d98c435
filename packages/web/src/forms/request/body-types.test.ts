import { describe, expect, it } from "vitest"
import type { BodyTypeView, FieldView } from "@callsheet/server/calls"
import { firstBody } from "./body-types.ts"

const text = { words: "string", kinds: ["string"] } as const
const order: FieldView = {
  words: "Order",
  kinds: ["object"],
  fields: [
    { ...text, name: "sku", required: true },
    { ...text, name: "note" },
    { words: "integer", kinds: ["number"], name: "quantity", required: true },
    { words: "boolean", kinds: ["boolean"], name: "gift", required: true },
    { words: "string", kinds: ["string"], values: ["EUR", "USD"], name: "currency", required: true },
    {
      words: "array of Line",
      kinds: ["array"],
      items: { words: "Line", kinds: ["object"], fields: [{ ...text, name: "id", required: true }] },
      name: "lines",
      required: true,
    },
    { words: "array of string", kinds: ["array"], items: text, name: "tags", required: true },
  ],
}

const bodyOf = (changes: Partial<BodyTypeView>): BodyTypeView => ({
  required: true,
  mediaType: "application/json",
  mediaTypes: ["application/json"],
  type: order,
  ...changes,
})

describe("the first body of a request", () => {
  it("is empty if the document requires none or doesn't say", () => {
    expect(firstBody(undefined)).toEqual({})
    expect(firstBody(bodyOf({ required: false, example: { sku: "MUG-01" } }))).toEqual({})
  })

  it("is the example of the document", () => {
    expect(firstBody(bodyOf({ example: { sku: "MUG-01", note: null } }))).toEqual({
      body: { sku: "MUG-01", note: null },
    })
  })

  it("has the required fields if the document has no example", () => {
    expect(firstBody(bodyOf({}))).toEqual({
      body: { sku: "", quantity: 0, gift: false, currency: "EUR", lines: [{ id: "" }], tags: [] },
    })
  })

  it("has the content type that it is sent with", () => {
    expect(firstBody(bodyOf({ mediaType: "application/x-www-form-urlencoded" }))).toEqual({
      bodyType: "form",
      body: { sku: "", quantity: "", gift: "", currency: "", lines: "", tags: "" },
    })
    expect(firstBody(bodyOf({ mediaType: "text/plain", example: "Hello" }))).toEqual({
      bodyType: "text",
      body: "Hello",
    })
  })

  it("ends where an object contains itself", () => {
    let deep: FieldView = { words: "Node", kinds: ["object"] }
    for (let depth = 0; depth < 100; depth++)
      deep = { words: "Node", kinds: ["object"], fields: [{ ...deep, name: "next", required: true }] }
    expect(JSON.stringify(firstBody(bodyOf({ type: deep }))).match(/next/g)).toHaveLength(6)
  })
})
