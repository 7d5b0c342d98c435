// Introduces a typo into a key.

import type { Random } from "./random.ts"

/** The quoted key with one wrong letter. */
export function typo(key: string, random: Random): string {
  if (key.length < 4) return '"q"'
  const at = 1 + random.below(key.length - 2)
  return random.pick([
    key.slice(0, at) + key.slice(at + 1),
    key.slice(0, at) + key[at]! + key.slice(at),
    key.slice(0, at) + key[at]!.toUpperCase() + key.slice(at + 1),
    `${key.slice(0, at)}x${key.slice(at + 1)}`,
  ])
}
