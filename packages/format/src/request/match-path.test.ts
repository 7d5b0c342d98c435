import { describe, expect, it } from "vitest"
import { findByPath } from "./match-path.ts"

const templates = ["/orders/{id}", "/orders/latest", "/orders/{id}/lines/{line}.json", "/"].map((path) => ({
  path,
}))

const match = (path: string) => {
  const found = findByPath(templates, path)
  return found === undefined ? undefined : [found.found.path, Object.fromEntries(found.params)]
}

describe("a path", () => {
  it("matches a template with the values of its parameters", () => {
    expect(match("/orders/7")).toEqual(["/orders/{id}", { id: "7" }])
    expect(match("/orders/7/lines/a.b.json")).toEqual([
      "/orders/{id}/lines/{line}.json",
      { id: "7", line: "a.b" },
    ])
    expect(match("/")).toEqual(["/", {}])
  })

  it("matches a literal segment better than a parameter", () => {
    expect(match("/orders/latest")).toEqual(["/orders/latest", {}])
  })

  it("that is the template itself sets no values", () => {
    expect(match("/orders/{id}")).toEqual(["/orders/{id}", {}])
  })

  it("doesn't match with an empty value, or with other segments", () => {
    for (const path of ["/orders/", "/orders", "/order/7", "/orders/7/lines/.json"])
      expect(match(path)).toBe(undefined)
  })
})
