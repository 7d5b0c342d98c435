import { describe, expect, it } from "vitest"
import { readDocument } from "./read-document.ts"
import { findOperationByUrl } from "./find-operation-by-url.ts"

const get = { get: { responses: {} } }
const text = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "", version: "" },
  paths: { "/items": get, "/items/{id}": get, "/items/mine": get, "/files/{name}.json": get, "/": get },
})
const { document } = await readDocument({ file: "openapi.json", text })

const pathOf = (url: string, method = "GET", baseUrl = "http://a.test/v1/") =>
  document && findOperationByUrl(document, { method, url, baseUrl })?.path

describe("the operation of a URL", () => {
  it.each([
    ["http://a.test/v1/items", "/items"],
    ["http://a.test/v1/items?size=3#x", "/items"],
    ["http://a.test/v1/items/7", "/items/{id}"],
    ["http://a.test/v1/items/%2F", "/items/{id}"],
    ["http://a.test/v1/items/mine", "/items/mine"],
    ["http://a.test/v1/files/a.json", "/files/{name}.json"],
    ["http://a.test/v1/", "/"],
  ])("of %s is %s", (url, path) => {
    expect(pathOf(url)).toBe(path)
  })

  it.each([
    "http://a.test/v1/items/",
    "http://a.test/v1/items/7/8",
    "http://a.test/v1/files/.json",
    "http://a.test/v2/items",
    "http://b.test/v1/items",
  ])("of %s is unknown", (url) => {
    expect(pathOf(url)).toBeUndefined()
  })

  it("has the same method", () => {
    expect(pathOf("http://a.test/v1/items", "POST")).toBeUndefined()
  })

  it("is below a base URL without its query", () => {
    expect(pathOf("http://a.test/v1/items?key=1", "GET", "http://a.test/v1?key=1")).toBe("/items")
  })
})
