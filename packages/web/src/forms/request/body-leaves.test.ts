import { describe, expect, it } from "vitest"
import { bodyLeaves, MAX_LEAVES, pointerTo, innerText, withInnerText } from "./body-leaves.ts"
import { bodyAs, likelyType } from "./body-types.ts"
import { freeRequest, nameOfOperation, checkRequestName } from "./request-names.ts"
import { targetOf, templateParameters } from "./operation-request.ts"

describe("a value of a file as a separate text", () => {
  const file = '{\r\n  "body": {\r\n    "a": [1,\r\n     2]\r\n  },\r\n  "x": 1\r\n}\r\n'

  it("loses its indentation, and gets it back in the file", () => {
    const inner = innerText(file, ["body"])
    expect(inner).toBe('{\n  "a": [1,\n   2]\n}')
    expect(withInnerText(file, ["body"], inner ?? "")).toBe(file)
    const changed = withInnerText(file, ["body"], '{\n  "id": 9007199254740993\n}\n')
    expect(changed).toBe(
      file.replace(/\{\r\n {4}"a".*?\r\n {2}\}/s, '{\r\n    "id": 9007199254740993\r\n  }'),
    )
  })

  it("is not written if it is missing or not valid JSON", () => {
    expect(withInnerText(file, ["body"], '{"a":')).toBeUndefined()
    expect(withInnerText(file, ["body"], '{"a": 1, "a": 2}')).toBeUndefined()
    expect(innerText(file, ["none"])).toBeUndefined()
  })
})

describe("the rows of a body", () => {
  it("are its scalar values, limited to a number that a user can fill in", () => {
    expect(bodyLeaves({ a: { "b.c": [1, { d: null }], e: {} } }).map(({ path }) => path)).toEqual([
      'a["b.c"].0',
      'a["b.c"].1.d',
      "a.e",
    ])
    expect(bodyLeaves(Array.from({ length: 100_000 }, () => 1))).toHaveLength(MAX_LEAVES)
  })

  it("resolve like a path, and not past the end of an array", () => {
    const body = { lines: [{ sku: "a" }] }
    expect(pointerTo(body, ["lines", "1", "sku"])).toEqual(["lines", 1, "sku"])
    expect(pointerTo(body, ["lines", "2"])).toBeUndefined()
    expect(pointerTo(body, ["lines", "sku"])).toBeUndefined()
    expect(pointerTo(undefined, ["tags", "0"])).toEqual(["tags", 0])
    expect(pointerTo({ a: 1 }, ["a", "b"])).toBeUndefined()
  })
})

describe("a saved request", () => {
  it("keeps its body under another type if that type allows it", () => {
    expect(bodyAs({ a: 1 }, "form")).toEqual({ body: { a: 1 }, isLost: false })
    expect(bodyAs({ a: 1 }, "text")).toEqual({ body: "", isLost: true })
    expect(bodyAs("", "multipart")).toEqual({ body: {}, isLost: false })
    expect(bodyAs("x", "json")).toEqual({ body: "x", isLost: false })
  })

  it("starts with the type that its operation documents", () => {
    const view = (mediaType: string) => ({ required: false, mediaType, mediaTypes: [], type: { words: "" } })
    expect(likelyType(undefined)).toBe("json")
    expect(likelyType(view("application/problem+json; charset=utf-8"))).toBe("json")
    expect(likelyType(view("multipart/form-data"))).toBe("multipart")
    expect(likelyType(view("text/csv"))).toBe("text")
  })

  it("has the parameters in its path, not counting tokens", () => {
    const names = templateParameters("/a/{id}/{{token}}/{ref}/{id}").map(({ name }) => name)
    expect(names).toEqual(["id", "ref"])
    expect(targetOf({ method: "GET", path: "/a" })).toBe("GET /a")
    expect(targetOf({ operation: "" })).toBeUndefined()
  })

  it("must have a name that a disk allows", () => {
    const taken = [{ resource: "orders", name: "mine" }]
    const finding = (resource: string, request: string) => checkRequestName({ resource, request }, taken)
    expect(finding("orders", "mine")).toMatch("already")
    expect(finding("orders", "yours")).toBeUndefined()
    for (const name of ["", "a/b", "..", "con", "a\u202eb", " a"])
      expect(finding("orders", name), name).toBeDefined()
    expect(freeRequest("mine", new Set(["mine", "mine copy"]))).toBe("mine copy 2")
    expect(nameOfOperation("GET /orders/{id}")).toBe("GET-orders-id")
    expect(nameOfOperation("…")).toBe("request")
  })
})
