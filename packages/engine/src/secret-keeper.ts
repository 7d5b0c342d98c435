// What the scripts of a run call secret: the masker learns it, up to what memory and time can bear.

import type { Masker } from "./mask.ts"

/** Masks a value from now on; says why where it cannot. */
export type KeepSecret = (value: string | number | bigint) => string | undefined

/** Every text that is shown is searched for each of them. */
const mostSecrets = 10_000
/** What is kept of a secret takes some twenty times its length. */
const mostCharacters = 4 * 1024 * 1024

export function createSecretKeeper(mask: Masker): KeepSecret {
  const kept = new Set<string | number | bigint>()
  let characters = 0
  return (value) => {
    if (kept.has(value)) return undefined
    const { length } = String(value)
    if (kept.size >= mostSecrets || characters + length > mostCharacters) {
      return `ctx.secret keeps at most ${mostSecrets} values of ${mostCharacters} characters in all in one run`
    }
    kept.add(value)
    characters += length
    mask.learn(value)
    return undefined
  }
}
