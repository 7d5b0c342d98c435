// Recognizes secrets by their names.

const wordPattern = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g

const secretWords = new Set(
  "password passwd pwd passphrase passcode secret secrets credential credentials apikey authorization cookie jwt otp cvv cvc".split(
    " ",
  ),
)
const keyKinds = new Set(
  "api access secret private auth client signing subscription encryption account app application master service".split(
    " ",
  ),
)
/** Words that make a token a position in a list, not a secret. */
const pageWords = new Set("next page continuation cursor sync paging resume".split(" "))

/** Returns whether a name looks like a secret's, such as `X-Api-Key`, `clientSecret` or `refresh_token`. */
export function isSecretName(name: string): boolean {
  const words = (name.match(wordPattern) ?? []).map((word) => word.toLowerCase())
  const last = words.at(-1) ?? ""
  const before = words.at(-2) ?? ""
  if (secretWords.has(last)) return true
  if (last === "token" || last === "tokens") return !pageWords.has(before)
  if (last === "key") return keyKinds.has(before)
  return last === "id" && before === "session"
}
