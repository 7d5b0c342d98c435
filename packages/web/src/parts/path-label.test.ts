import { describe, expect, it } from "vitest"
import { splitPath } from "./path-label.tsx"

describe("a path that is cut", () => {
  it("keeps the segments at its end that have room, and at least the last", () => {
    const halves = (path: string): string => splitPath(path).join(" | ")
    expect(halves("/payments/{paymentId}/refunds/{id}")).toBe("/payments/{paymentId} | /refunds/{id}")
    expect(halves("/a/b/c/d")).toBe("/a | /b/c/d")
    expect(halves("/payments/{aParameterWithALongName}")).toBe("/payments | /{aParameterWithALongName}")
    expect(halves("/orders")).toBe(" | /orders")
    expect(halves("/")).toBe(" | /")
    expect(halves("")).toBe(" | ")
    expect(halves("///")).toBe("/ | //")
  })
})
