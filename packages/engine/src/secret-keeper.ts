// What a session finds out to be secret while it goes on: the masker learns it, up to what memory and time can bear.

import type { HeldMask } from "./held-mask.ts"
import type { Masker } from "./mask.ts"
import type { RunSecret } from "./session-options.ts"

/** Masks a value from now on; `name` is where it came from. Says why where it cannot. */
export type KeepSecret = (value: string | number | bigint, name: string) => string | undefined

export interface SecretListeners {
  /** What masks what was said before. */
  readonly held?: HeldMask | undefined
  readonly onSecrets?: ((secrets: readonly RunSecret[]) => void) | undefined
}

/** Every text that is shown is searched for each of them. */
const mostSecrets = 100_000
const mostCharacters = 32 * 1024 * 1024

export function createSecretKeeper(mask: Masker, { held, onSecrets }: SecretListeners = {}): KeepSecret {
  let count = 0
  let characters = 0
  return (value, name) => {
    if (mask.knows(value)) return undefined
    const { length } = String(value)
    if (count >= mostSecrets || characters + length > mostCharacters)
      return `at most ${mostSecrets} values of ${mostCharacters} characters in all are kept secret beside the variables`
    count++
    characters += length
    mask.learn(value)
    held?.learn(value)
    onSecrets?.([{ name, value }])
    return undefined
  }
}
