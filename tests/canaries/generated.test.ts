// Checks generated secrets in nested escapes and encodings: masking removes them, and a search finds them.

import { createMasker } from "@callsheet/engine"
import { describe, expect, it } from "vitest"
import { hitsIn } from "./judge.ts"
import { createDraw, generateSecret, generateWriting, writeBy } from "./generator.ts"

/** Seeds that masking once missed. */
const missed = [1645, 1997, 5168, 5360, 6401, 10019, 10740, 12123, 14028]

const cases = [...Array.from({ length: 1500 }, (_, seed) => seed), ...missed].map((seed) => {
  const draw = createDraw(seed)
  const secret = generateSecret(draw)
  return { seed, secret, ...generateWriting(draw, secret) }
})

/** Digits at both ends of a secret that also depend on the bytes next to it. */
const MAX_MORE = 40

describe("a generated secret", () => {
  it("is masked in each encoding, up to three nested", () => {
    const missed = cases.filter(({ secret, by, text }) => {
      const masked = createMasker([secret]).text(`a ${text} b`)
      const around = writeBy(by, "abcd")
      return (
        !masked.includes("***") || masked.length > Math.min(2 * around.length + MAX_MORE, text.length + 4)
      )
    })
    expect(missed.map(({ seed, by }) => `${seed}: ${by.join(", then ")}`)).toEqual([])
  })

  it("is found by the leak search if nothing masks it", () => {
    const missed = cases.filter(
      ({ secret, text }) => hitsIn("sink", JSON.stringify({ text }), [secret]).length === 0,
    )
    expect(missed.map(({ seed, by }) => `${seed}: ${by.join(", then ")}`)).toEqual([])
  })

  it("removes no character from a text without it", () => {
    for (const [at, { secret }] of cases.slice(0, 400).entries()) {
      const { text } = cases[at + 401] ?? { text: "" }
      expect(createMasker([secret]).text(text)).toBe(text)
    }
  })
})
