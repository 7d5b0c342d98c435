import { describe, expect, it } from "vitest"
import { blockRequestOf, nameForOperation } from "./operation-request.ts"

describe("a new request for an operation", () => {
  const named = { operation: "createOrder", resource: "orders" }
  const block = (content: object) => blockRequestOf("shop", named, JSON.stringify({ version: 1, ...content }))

  it("has a free name that a file can have", () => {
    const taken = [
      { resource: "orders", name: "createOrder" },
      { resource: "orders", name: "createOrder copy" },
    ]
    expect(nameForOperation(named, taken)).toEqual({ resource: "orders", request: "createOrder copy 2" })
    expect(nameForOperation(named, [])).toEqual({ resource: "orders", request: "createOrder" })
    expect(nameForOperation({ operation: "con", resource: "a/b" }, [])).toEqual({
      resource: "requests",
      request: "request",
    })
  })

  it("becomes a block with the same parameters and body fields", () => {
    const params = { path: { id: "7" } }
    expect(block({})).toEqual({ api: "shop", ...named })
    expect(block({ params, body: { "a.b": [1], c: null } })).toEqual({
      api: "shop",
      ...named,
      overrides: { params, body: { '["a.b"]': [1], c: null } },
    })
  })

  it("cannot become a block if overrides can't express its body", () => {
    for (const content of [{ body: [1] }, { body: {} }, { body: "x" }, { body: { a: 1 }, bodyType: "form" }])
      expect(block(content), JSON.stringify(content)).toBeUndefined()
    expect(block({ body: { a: 1 }, bodyType: "json" })).toBeDefined()
  })
})
