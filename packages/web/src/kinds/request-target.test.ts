import { describe, expect, it } from "vitest"
import { TextEdit } from "../files/text/text-edit.ts"
import { setInstance, setOperation } from "./request-target.ts"

const edit = (request: unknown) => new TextEdit(JSON.stringify({ request }), [])
const requestIn = (text: TextEdit): unknown => (JSON.parse(text.text) as { request: unknown }).request
const gift = { resource: "orders", instance: "gift" }

describe("what a request block sends", () => {
  it("is a saved request without the operation, and without the values that its form filled in", () => {
    const text = edit({
      api: "shop",
      operation: "createOrder",
      overrides: { params: { query: {} }, body: { book: 0, note: "" } },
    })
    setInstance(text, gift, { book: 0, note: "" })
    expect(requestIn(text)).toEqual({ api: "shop", resource: "orders", instance: "gift" })
  })

  it("keeps the values that the user changed", () => {
    const text = edit({
      api: "shop",
      operation: "createOrder",
      overrides: { params: { path: { id: "7" } }, body: { book: 7, note: "" } },
    })
    setInstance(text, gift, { book: 0, note: "" })
    expect(requestIn(text)).toMatchObject({
      overrides: { params: { path: { id: "7" } }, body: { book: 7 } },
    })
  })

  it("is an operation without the saved request", () => {
    const text = edit({ api: "shop", resource: "orders", instance: "gift", overrides: { params: {} } })
    setOperation(text, { api: "shop", resource: undefined, operation: "listOrders" }, {})
    expect(requestIn(text)).toEqual({ api: "shop", operation: "listOrders" })
  })
})
