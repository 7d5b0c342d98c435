// Secrets as nobody would choose them, and for each a twin: other letters and digits, all else alike.

export type Canary = string | number | boolean

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

/** Text that says nothing, always the same. */
function text(length: number, seed: number, alphabet: readonly string[] = Array.from(letters)): string {
  let state = seed * 2654435761
  let made = ""
  while (made.length < length) {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) >>> 0
    made += alphabet[state % alphabet.length]
  }
  return made.slice(0, length)
}

const punctuation = Array.from(`${letters.slice(0, 30)}"'\`\\/+=&<>%?#@:;,{}[]()|^~*$! `)
const wide = Array.from(`${letters.slice(0, 30)}äöüßéñ漢字日本😀€ `)

/** Of 4 to 4,096 characters, and a few shorter ones, a number and a boolean. */
export const canaries: readonly Canary[] = [
  // Lengths.
  text(4, 1),
  text(5, 2),
  text(7, 3),
  text(16, 4),
  text(64, 5),
  text(513, 6),
  text(4096, 7),
  // What writers escape, each in its own way.
  ...[8, 9, 10, 11].map((seed) => text(24, seed, punctuation)),
  ...[12, 13].map((seed) => text(20, seed, wide)),
  text(4096, 14, punctuation),
  text(2000, 15, wide),
  `"${text(8, 16)}"`,
  ` ${text(6, 17)} ${text(6, 18)} `,
  `${text(9, 19)}+/==`,
  String.raw`${text(5, 20)}\n\u0041\"${text(5, 21)}`,
  `${text(6, 22)}%41%2F${text(6, 23)}`,
  `&amp;${text(9, 24)}&lt;`,
  `<b id="1">${text(9, 25)}</b>]]>`,
  `${text(6, 26)}\t${text(6, 27)}`,
  // Several lines.
  `-----BEGIN KEY-----\n${text(64, 28)}\n${text(64, 29)}\n-----END KEY-----\n`,
  `{\n  "key": "${text(20, 30)}"\r\n}`,
  // One a part of another, or over another.
  "quzt" + text(8, 31),
  "quzt",
  "quzt" + text(8, 31) + "vuxy",
  "vuxy" + text(6, 32),
  "mmmmmm",
  "mmmm",
  // What a report says by itself.
  "passed",
  "true",
  "1",
  "transform",
  "GET",
  // Of other types.
  8675309,
  true,
  "x/y",
  `Bearer ${text(12, 33)}`,
]

/** Letters and digits changed one for one, so that whatever is alike, or a part of another, stays so. */
export const twinOf = (canary: Canary): Canary => {
  if (typeof canary === "boolean") return !canary
  const changed = String(canary).replaceAll(/[A-Za-z0-9]/g, (character) => {
    for (const group of ["abcdef", "ghijklmopqstvwxyzru", "ABCDEF", "GHIJKLMNOPQRSTUVWXYZ", "1234567890"]) {
      const at = group.indexOf(character)
      if (at !== -1) return group[(at + 1) % group.length] ?? character
    }
    return character
  })
  return typeof canary === "number" ? Number(changed) : changed
}

// Words of a report, and what is shorter, are what the twins are for: nothing may change with them.
export const canBeFound = (canary: Canary): boolean =>
  typeof canary === "string" && canary.length >= 4 && !["passed", "true", "transform"].includes(canary)
