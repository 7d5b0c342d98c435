import { describe, expect, it } from "vitest"
import { jsonText } from "./answer.ts"

describe("jsonText", () => {
  it("keeps every digit of big integers", () => {
    expect(jsonText({ id: 9007199254740993n, not: undefined })).toBe(`{"id":9007199254740993}`)
  })

  it("throws for an object that contains itself", () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    expect(() => jsonText(circle)).toThrow(TypeError)
  })
})
