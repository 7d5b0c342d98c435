import { describe, expect, it } from "vitest"
import { createMasker, MASK } from "./mask.ts"
import { createSecretKeeper } from "./secret-keeper.ts"

describe("what scripts call secret", () => {
  it("is masked", () => {
    const mask = createMasker([])
    expect(createSecretKeeper(mask)("t0ken-42")).toBeUndefined()
    expect(mask.text("Bearer t0ken-42")).toBe(`Bearer ${MASK}`)
  })

  it("is bounded by count; what is known costs nothing", () => {
    const keep = createSecretKeeper(createMasker([]))
    for (let count = 0; count < 9_999; count++) keep(count)
    const last = "the last one"
    expect([keep(last), keep(last), keep(1n)]).toEqual([
      undefined,
      undefined,
      expect.stringMatching(/^ctx\.secret keeps at most 10000 values/),
    ])
    expect([keep(last), keep(7)]).toEqual([undefined, undefined])
  })

  it("is bounded by size", () => {
    const mask = createMasker([])
    const keep = createSecretKeeper(mask)
    const sizes = Array.from({ length: 64 }, (_, index) => keep(String(index).padStart(65_536, "x")))
    expect(sizes.filter((refusal) => refusal !== undefined)).toEqual([])
    expect(keep("more")).toMatch(/at most 10000 values of 4194304 characters/)
    expect(mask.text("and more")).toBe("and more")
  })
})
