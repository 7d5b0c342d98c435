import { expect, it } from "vitest"
import { isSamePlace, ownCredentials } from "./own-credentials.ts"

it("finds an Authorization header in any case, and parameters with a secret", () => {
  const params = {
    header: { authorization: "Bearer {{ token }}", "x-trace": "on" },
    query: { key: "{{apiKey}}", page: "{{page}}" },
    path: { id: "{{apiKey}}" },
  }
  expect(ownCredentials(params, new Set(["apiKey", "token"]))).toEqual([
    { place: { in: "header", name: "authorization" }, word: "Bearer", variable: "token" },
    { place: { in: "query", name: "key" }, word: undefined, variable: "apiKey" },
  ])
  expect(ownCredentials({ header: { Authorization: "abc" } }, new Set())).toEqual([
    { place: { in: "header", name: "Authorization" }, word: undefined, variable: undefined },
  ])
  expect(ownCredentials("broken", new Set())).toEqual([])
})

it("ignores the case only of headers", () => {
  expect(isSamePlace({ in: "header", name: "X-Key" }, { in: "header", name: "x-key" })).toBe(true)
  expect(isSamePlace({ in: "query", name: "Key" }, { in: "query", name: "key" })).toBe(false)
})
