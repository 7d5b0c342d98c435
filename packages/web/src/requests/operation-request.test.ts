import { describe, expect, it } from "vitest"
import { blockRequestOf, nameForOperation } from "./operation-request.ts"

describe("a request of an operation that is in no file", () => {
  const named = { operation: "createOrder", resource: "orders" }
  const block = (content: object) => blockRequestOf("shop", named, JSON.stringify({ version: 1, ...content }))

  it("has a name that is free, and that a file can have", () => {
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

  it("is sent by a block with the same parameters and fields of the body", () => {
    const params = { path: { id: "7" } }
    expect(block({})).toEqual({ api: "shop", ...named })
    expect(block({ params, body: { "a.b": [1], c: null } })).toEqual({
      api: "shop",
      ...named,
      overrides: { params, body: { '["a.b"]': [1], c: null } },
    })
  })

  it("is sent by no block where overrides cannot hold its body", () => {
    for (const content of [{ body: [1] }, { body: {} }, { body: "x" }, { body: { a: 1 }, bodyType: "form" }])
      expect(block(content), JSON.stringify(content)).toBeUndefined()
    expect(block({ body: { a: 1 }, bodyType: "json" })).toBeDefined()
  })
})
