import { describe, expect, it } from "vitest"
import { blockSnippet } from "./block-snippet.ts"

const blockOf = (
  target: Parameters<typeof blockSnippet>[0],
): { id: string; request: Record<string, unknown> } =>
  JSON.parse(blockSnippet(target).text) as { id: string; request: Record<string, unknown> }

describe("a block that calls an operation", () => {
  it("gives every path parameter a token and lists their names", () => {
    const { text, parameters } = blockSnippet({
      api: "shop",
      operation: "read",
      path: "/a/{one}/b/{two.three}",
    })
    expect(parameters).toEqual(["one", "two.three"])
    expect(JSON.parse(text)).toMatchObject({
      request: { overrides: { params: { path: { one: "{{one}}", "two.three": "{{two-three}}" } } } },
    })
  })

  it("sends what the form contains, with tokens only for what is missing", () => {
    const overrides = { params: { path: { one: "1" }, query: { q: "x" } }, body: { a: 1 } }
    const { text, parameters } = blockSnippet({
      api: "shop",
      operation: "read",
      path: "/a/{one}/{two}",
      overrides,
    })
    expect(parameters).toEqual(["two"])
    expect(JSON.parse(text)).toMatchObject({
      request: {
        overrides: { params: { path: { one: "1", two: "{{two}}" }, query: { q: "x" } }, body: { a: 1 } },
      },
    })
  })

  it("has an id that the format allows, whatever the operation's name", () => {
    const ids = ["listOrders", "GET /orders/{id}", "$$", "a.b[c]{d}", "a\u0000b", "/"].map(
      (operation) => blockOf({ api: "shop", operation }).id,
    )
    expect(ids).toEqual(["listOrders", "get-orders-id", "request", "a-b-c-d", "a-b", "request"])
  })

  it("names a saved request as an instance of its resource", () => {
    expect(blockOf({ api: "shop", resource: "orders", instance: "gift" }).request).toEqual({
      api: "shop",
      resource: "orders",
      instance: "gift",
    })
  })
})
