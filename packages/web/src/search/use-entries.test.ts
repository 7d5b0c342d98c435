import { describe, expect, it } from "vitest"
import { operationEntries, projectEntries, type Entry } from "./entries.ts"
import { findMatches } from "@callsheet/language"

const operation = (method: string, path: string, name: string, summary?: string) =>
  summary === undefined
    ? { method, path, name, resources: ["orders"] }
    : { method, path, name, resources: [], summary }

const gift = { resource: "orders", name: "gift", target: "readOrder" }

const entries: readonly Entry[] = [
  ...projectEntries({
    revision: 1,
    name: "webshop",
    apis: [{ name: "shop", environments: [{ name: "get", level: "local" }], requests: [gift] }],
    workflows: [
      { name: "gift-orders", apis: [] },
      { name: "orders", apis: [] },
    ],
  }),
  ...operationEntries({
    api: "shop",
    hasFailed: false,
    view: {
      problems: [],
      operations: [
        operation("POST", "/orders", "getOrCreateOrder", "Place an order"),
        operation("GET", "/orders/{orderId}", "readOrder"),
        operation("DELETE", "/baskets/orders", "drop"),
      ],
    },
  }),
]

const found = (query: string): readonly string[] =>
  findMatches(entries, query).map(({ method, name }) => (method === undefined ? name : `${method} ${name}`))

describe("a search", () => {
  it("requires all words, in any order and case", () => {
    expect(found("ORDER place")).toEqual(["POST /orders"])
    expect(found("place nothing")).toEqual([])
  })

  it("puts exact matches before prefixes, and prefixes before other matches", () => {
    expect(found("orders")).toEqual([
      "orders",
      "POST /orders",
      "GET /orders/{orderId}",
      "gift-orders",
      "DELETE /baskets/orders",
      "gift",
    ])
  })

  it("finds a saved request by its folder and name, and an operation by its id, before other matches", () => {
    expect(found("orders/gift")).toEqual(["gift"])
    expect(found("gift")).toEqual(["gift", "gift-orders"])
    expect(found("readOrder")).toEqual(["GET /orders/{orderId}", "gift"])
  })

  it("matches a method before a part of a name", () => {
    expect(found("get")).toEqual(["get", "GET /orders/{orderId}", "POST /orders"])
  })

  it("finds everything for an empty query", () => {
    expect(found("  ")).toHaveLength(entries.length)
  })
})
