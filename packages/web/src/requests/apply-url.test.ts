import { describe, expect, it } from "vitest"
import type { OperationsView } from "@callsheet/server/calls"
import { applyCurl } from "./apply-curl.ts"
import { applyUrl, repeatedNames } from "./apply-url.ts"
import { splitTypedUrl } from "./typed-url.ts"

const operation = (name: string, method: string, path: string) => ({
  name,
  method,
  path,
  resources: ["orders"],
})
const view: OperationsView = {
  operations: [
    operation("getOrder", "GET", "/orders/{id}"),
    operation("listOrders", "GET", "/orders"),
    operation("same", "PUT", "/orders/{id}"),
    operation("same", "DELETE", "/orders/{id}"),
  ],
  problems: [],
}

function applied(
  text: string,
  method: string,
  url: string,
  current?: { method: string; path: string },
): string {
  const { path, query } = splitTypedUrl(url)
  return applyUrl(text, { method, path, query }, { view, current })
}
const parsed = (text: string): unknown => JSON.parse(text)

describe("a typed URL", () => {
  it("binds the request to the operation of its method and path, with the values of the path and the query", () => {
    const text = '{"version": 1, "method": "GET", "path": "/health", "body": 1}'
    expect(parsed(applied(text, "GET", "/orders/a%2Fb?limit=2&q={{term}}"))).toEqual({
      version: 1,
      operation: "getOrder",
      params: { path: { id: "a/b" }, query: { limit: "2", q: "{{term}}" } },
      body: 1,
    })
    expect(parsed(applied(text, "PUT", "/orders/{{id}}"))).toMatchObject({
      operation: "PUT /orders/{id}",
      params: { path: { id: "{{id}}" } },
    })
  })

  it("becomes a method and a path if the document has no such operation", () => {
    const text =
      '{"version": 1, "operation": "getOrder", "params": {"path": {"id": "7"}, "header": {"a": "b"}}}'
    expect(parsed(applied(text, "GET", "/other/{id}"))).toEqual({
      version: 1,
      method: "GET",
      path: "/other/{id}",
      params: { path: { id: "7" }, header: { a: "b" } },
    })
    expect(parsed(applied(text, "GET", "/other"))).toMatchObject({
      path: "/other",
      params: { header: { a: "b" } },
    })
  })

  it("keeps every byte of what it doesn't change", () => {
    const text =
      '{ "version":1,\n  "operation":"getOrder", "params":{"path":{"id":7},  "query":{"a":"1","b":"2"}} }'
    const current = { method: "GET", path: "/orders/{id}" }
    expect(applied(text, "GET", "/orders/7?a=1&b=2", current)).toBe(text)
    expect(applied(text, "GET", "/orders/7?b=3&a=1", current)).toBe(text.replace('"2"', '"3"'))
    expect(applied(text, "GET", "/orders/{id}", current)).toBe('{ "version":1,\n  "operation":"getOrder" }')
  })

  it("can't set several values of a name", () => {
    expect(repeatedNames(splitTypedUrl("/a?x=1&y=2&x=3&x=4").query)).toEqual(["x"])
  })
})

describe("a curl command", () => {
  it("replaces what a request sends, and keeps its description", () => {
    const text =
      '{"version": 1, "description": "Mine", "operation": "getOrder", "params": {"path": {"id": "7"}}, "timeoutMs": 5}'
    const request = { method: "POST", path: "/upload", body: "text", bodyType: "text" }
    expect(parsed(applyCurl(text, request, undefined))).toEqual({
      version: 1,
      description: "Mine",
      ...request,
    })
  })
})
