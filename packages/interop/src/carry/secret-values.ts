// Decides which values go to secrets files, and why. If in doubt, a value is a secret.

import { isSecretName } from "@callsheet/format"

/** Why a value is in a secrets file. */
export type SecretCause = "marked" | "credential" | "generated" | "name" | "content"

/** The place of a value: people fill in what stands for a credential, so it is one, but not what stands for other data. */
type ValuePlace = "credential" | "data"

/** Returns why the value of a name is a secret. Undefined if it is none: its name doesn't tell one, or it is a sample. */
export function secretCause(name: string, value: string, place: ValuePlace): SecretCause | undefined {
  if (isIssued(value)) return "generated"
  if (!isSecretName(name) || (codeName.test(name) && /^\d{3,8}$/.test(value))) return undefined
  if (isGenerated(value)) return "generated"
  return place === "data" && (placeholder.test(value) || isOwnName(name, value)) ? undefined : "name"
}

/** Returns whether a value only repeats its name, as in `token=token`. */
const repeatsName = (name: string, value: string): boolean =>
  letters(value) !== "" && letters(name) === letters(value)

/**
 * Returns whether a value repeats its name, such as `invalid_password` of `invalidPassword`, or its end: a variable that an
 * import made may begin with the name of a request. Committed files have the name anyway.
 */
export function endsWithValue(name: string, value: string): boolean {
  const end = letters(value)
  return repeatsName(name, value) || (end.length >= MIN_END && letters(name).endsWith(end))
}

/** Shorter ends may occur by chance. */
const MIN_END = 4

/** Returns whether a value is a sample, because it repeats its name. A password may do so in earnest. */
export const isOwnName = (name: string, value: string): boolean =>
  repeatsName(name, value) && !/(?:pass(?:word|wd|phrase|code)?|pwd)$/.test(letters(name))

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "")

// cspell:disable
/** Tokens of services with a prefix of their own, and JSON Web Tokens. */
export const issuedTokens = [
  /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{22}|glpat-[\w-]{20}|npm_[A-Za-z0-9]{36}|pypi-AgE[\w-]{20})/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{35}|\bxox[abeoprs]-[\w-]{10}|\b[rs]k_live_\w{16}|\bhvs\.[\w-]{20}/,
  /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{16,}/,
]
// cspell:enable

const isIssued = (value: string): boolean => issuedTokens.some((pattern) => pattern.test(value))

/** Returns whether a value looks like one that a program generated: long, and with no pattern. */
function isGenerated(value: string): boolean {
  if (value.length < 16 || /\s/.test(value)) return false
  const counts = new Map<string, number>()
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1)
  const bits = [...counts.values()].reduce((sum, count) => sum - count * Math.log2(count / value.length), 0)
  return /\d/.test(value) && /[A-Za-z]/.test(value) && bits / value.length >= MIN_BITS
}

/** The entropy per character from which a value looks generated. */
const MIN_BITS = 3

/** Codes that belong to a single payment or sign-in. They authorize nothing on their own. */
export const codeName = /(?:cvv|cvc|otp)\d?$/i

/** What stands for a value that everybody fills in: `YOUR_API_KEY`, `<token>`, `xxxx`. Digits may be a part of a secret. */
const placeholder =
  /^(?:your(?:[ _-][a-z]+)+|<(?:[a-z]+[ _-]?)+>|\[(?:[a-z]+[ _-]?)+\]|x{3,}|\*{3,}|\.{3,}|string)$/i
