import { describe, expect, it } from "vitest"
import { operationEntries, projectEntries, type Entry } from "./entries.ts"
import { findEntries } from "./find-entries.ts"

const operation = (method: string, path: string, name: string, summary?: string) =>
  summary === undefined
    ? { method, path, name, resources: ["orders"] }
    : { method, path, name, resources: [], summary }

const entries: readonly Entry[] = [
  ...projectEntries({
    revision: 1,
    name: "webshop",
    apis: [{ name: "shop", environments: [{ name: "get", level: "local" }], requests: [] }],
    workflows: [{ name: "orders", apis: [] }],
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
  findEntries(entries, query).map(({ method, name }) => (method === undefined ? name : `${method} ${name}`))

describe("a search", () => {
  it("wants all words, in any order and of any case", () => {
    expect(found("ORDER place")).toEqual(["POST /orders"])
    expect(found("place nothing")).toEqual([])
  })

  it("puts what is so called before what begins so, and that before what holds it", () => {
    expect(found("orders")).toEqual([
      "orders",
      "POST /orders",
      "GET /orders/{orderId}",
      "DELETE /baskets/orders",
    ])
  })

  it("takes a method for a method before it takes it for a part of a name", () => {
    expect(found("get")).toEqual(["get", "GET /orders/{orderId}", "POST /orders"])
  })

  it("finds everything where nothing is asked", () => {
    expect(found("  ")).toHaveLength(entries.length)
  })
})
