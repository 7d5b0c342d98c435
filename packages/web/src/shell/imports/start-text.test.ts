import { expect, it } from "vitest"
import { kindOfStart, urlOf } from "./start-text.ts"

it.each([
  ["", "nothing"],
  ["  \n", "nothing"],
  ["https://api.example.com/orders?state=open", "url"],
  ["https://api.example.com/orders/7.json", "url"],
  ["localhost:8080/orders", "url"],
  ["api.example.com", "url"],
  ["https://api.example.com/openapi.json", "address"],
  ["https://api.example.com/v3/api-docs", "address"],
  ["https://api.example.com/swagger.json?v=2", "address"],
  ["raw.example.com/shop/main/api.yaml", "address"],
  ["curl https://api.example.com/openapi.json", "curl"],
  ["$ curl -X POST \\\n  https://api.example.com/orders", "curl"],
  ["/usr/bin/curl https://a.example", "curl"],
  ['{ "openapi": "3.1.0" }', "document"],
  ["# Shop\nopenapi: 3.1.0\ninfo: {}", "document"],
  ["file:///etc/passwd", "other"],
  ["ftp://example.com/openapi.json", "other"],
  ["orders", "other"],
  ["GET /orders", "other"],
])("takes %j as %s", (text, kind) => {
  expect(kindOfStart(text)).toBe(kind)
})

it.each([
  [" https://a.example/x ", "https://a.example/x"],
  ["a.example/x", "https://a.example/x"],
  ["localhost/x", "http://localhost/x"],
  ["127.0.0.1:4010", "http://127.0.0.1:4010"],
  ["[::1]:4010/x", "http://[::1]:4010/x"],
  ["a b.example", undefined],
  ["javascript:alert(1)", undefined],
])("completes %j to %j", (text, url) => {
  expect(urlOf(text)).toBe(url)
})
