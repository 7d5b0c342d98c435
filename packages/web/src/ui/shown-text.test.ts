import { describe, expect, it } from "vitest"
import { splitPath } from "./shown-text.tsx"

describe("a truncated path", () => {
  it("keeps as many of its last segments as fit, and at least one", () => {
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
