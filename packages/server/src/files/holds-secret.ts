// Whether a text of an environment's folder may be shown: not where it holds the value of a secret.

import type { VariableDeclaration } from "@callsheet/format"
import type { Masker } from "../secrets/secrets-masker.ts"

interface ShownText {
  readonly text: string
  /** Knows the values of secrets that can be read. */
  readonly masker: Masker
  readonly isSchema: boolean
  readonly variables: ReadonlyMap<string, VariableDeclaration>
}

/**
 * In a value file that does not parse nobody knows which text is a value: one that names a secret as its key is taken to hold
 * it, but for `null` and the empty text.
 */
export function holdsSecret({ text, masker, isSchema, variables }: ShownText): boolean {
  if (masker.occursIn(text)) return true
  if (isSchema) return false
  const names = [...variables].filter(([, { secret }]) => secret === true).map(([name]) => name)
  return names.some((name) => isGiven(JSON.stringify(name), text))
}

/** Whether a key stands in the text with a value. */
function isGiven(key: string, text: string): boolean {
  const given = /\s*:\s*(?!null\b|""|\s)/y
  for (let at = text.indexOf(key); at !== -1; at = text.indexOf(key, at + 1)) {
    given.lastIndex = at + key.length
    if (given.test(text)) return true
  }
  return false
}
