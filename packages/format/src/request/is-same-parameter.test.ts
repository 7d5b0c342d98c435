import { expect, it } from "vitest"
import { isSameParameter } from "./is-same-parameter.ts"

it("ignores the case of header names only", () => {
  expect(isSameParameter("header", "X-Key", "x-key")).toBe(true)
  for (const location of ["query", "path", "cookie"])
    expect(isSameParameter(location, "Key", "key")).toBe(false)
  expect(isSameParameter("query", "key", "key")).toBe(true)
})
