import { describe, expect, it } from "vitest"
import { createHeldMask } from "./held-mask.ts"
import { createMasker, MASK } from "./mask.ts"
import { createSecretKeeper } from "./secret-keeper.ts"
import type { RunSecret } from "./session-options.ts"

describe("what a session finds out to be secret", () => {
  it("is masked, told with its place, and masked in what was held back", () => {
    const mask = createMasker(["kn0wn"])
    const held = createHeldMask()
    const told: RunSecret[] = []
    const keep = createSecretKeeper(mask, { held, onSecrets: (secrets) => told.push(...secrets) })
    for (const value of ["t0ken-42", "t0ken-42", "kn0wn"]) expect(keep(value, "a.response")).toBeUndefined()
    expect(mask.text("Bearer t0ken-42")).toBe(`Bearer ${MASK}`)
    expect(held.text("t0ken-42")).toBe(MASK)
    expect(told).toEqual([{ name: "a.response", value: "t0ken-42" }])
  })

  it("is bounded by count; what is known costs nothing", () => {
    const keep = createSecretKeeper(createMasker([]))
    for (let count = 0; count < 99_999; count++) keep(count, "n")
    const last = "the last one"
    expect([keep(last, "n"), keep(last, "n"), keep(100_000n, "n")]).toEqual([
      undefined,
      undefined,
      expect.stringMatching(/^at most 100000 values/),
    ])
    expect([keep(last, "n"), keep(7, "n")]).toEqual([undefined, undefined])
  })

  it("is bounded by size", () => {
    const mask = createMasker([])
    const keep = createSecretKeeper(mask)
    const refusals = Array.from({ length: 64 }, (_, index) =>
      keep(String(index).padStart(512 * 1024, "x"), "n"),
    )
    expect(refusals.filter((refusal) => refusal !== undefined)).toEqual([])
    expect(keep("more", "n")).toMatch(/at most 100000 values of 33554432 characters/)
    expect(mask.text("and more")).toBe("and more")
  })
})
