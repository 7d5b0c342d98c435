import { describe, expect, it } from "vitest"
import { jsonText } from "./json-text.ts"

describe("jsonText", () => {
  it("writes big integers digit for digit", () => {
    expect(jsonText({ id: 9007199254740993n, not: undefined })).toBe(`{"id":9007199254740993}`)
  })

  it("throws for an object that holds itself", () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    expect(() => jsonText(circle)).toThrow(TypeError)
  })
})
