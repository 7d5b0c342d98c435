// Secrets generated from a seed, each with a twin: different letters and digits, everything else equal.

import { createDraw, generatePlain, generateSecret } from "./generator.ts"

export type Canary = string | number | boolean

const LENGTHS = [4, 5, 7, 16, 64, 513, 4000]
const GENERATED = 25

/** Returns a canary. Consecutive indexes cycle through all lengths and shapes. */
function generate(seed: number, index: number): string {
  const length = LENGTHS[index]
  for (let attempt = 0; ; attempt++) {
    const draw = createDraw((seed * GENERATED + index) * 100 + attempt)
    const made = length === undefined ? generateSecret(draw, index) : generatePlain(draw, length)
    // Any report contains a canary with fewer letters and digits, and a short one that may be a part of a time or hash.
    if (made.replaceAll(/[^A-Za-z0-9]/g, "").length >= 4 && /[g-z]/i.test(made)) return made
  }
}

/** Secrets of 4 to 4,000 characters, and a few shorter ones, a number and a boolean. */
export function createCanaries(seed: number): readonly Canary[] {
  const generated = Array.from({ length: GENERATED }, (_, index) => generate(seed, index))
  const [first, second, last] = [8, 8, 6].map((length, at) =>
    generatePlain(createDraw(-seed - at - 1), length),
  )
  return [
    ...generated,
    // One is a part of another or overlaps it.
    `quzt${first}`,
    "quzt",
    `quzt${first}vuxy`,
    `vuxy${second}`,
    "mmmmmm",
    "mmmm",
    // Words that callsheet itself writes to reports.
    "passed",
    "true",
    "1",
    "transform",
    "GET",
    // Canaries of other types.
    8675309,
    true,
    "x/y",
    `Bearer ${last}${first}`,
  ]
}

/** The canaries of one seed, for tests that compare them one by one. */
export const canaries = createCanaries(1)

/** Letters and digits replaced one for one, so that equal parts stay equal. */
export const twinOf = (canary: Canary): Canary => {
  if (typeof canary === "boolean") return !canary
  // The twin of a URL is a URL, and the twin of a JavaScript number such as `0x1b`, `09` or `1e5n` is a number. The
  // twin of a credential has its scheme, because a warning names a scheme that is sent twice.
  const changed = String(canary).replaceAll(/^(?:https:|Bearer )|[A-Za-z0-9]/g, (character) => {
    for (const group of ["acdf", "ghijklmpqstvwyzru", "ACDF", "GHIJKLMPQRSTUVWYZ", "1234567"]) {
      const at = group.indexOf(character)
      if (at !== -1) return group[(at + 1) % group.length] ?? character
    }
    return character
  })
  return typeof canary === "number" ? Number(changed) : changed
}

// Returns whether a search can find the canary. Words of a report and shorter secrets are too common.
export const canBeFound = (canary: Canary): boolean =>
  typeof canary === "string" && canary.length >= 4 && !["passed", "true", "transform"].includes(canary)
