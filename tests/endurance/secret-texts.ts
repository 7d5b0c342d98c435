// Unusual random secrets and secrets files.

import type { Random } from "./random.ts"

const atoms = [
  ..."' \" ` # \\ = $".split(" "),
  " ",
  "\t",
  "\n",
  "\r",
  "\r\n",
  String.raw`\n`,
  String.raw`\r`,
  String.raw`\"`,
  String.raw`\\`,
  " #",
  "# ",
  "${HOME}",
  "$(id)",
  "a",
  "B7",
  "äöü",
  "日本",
  "😀",
  "\u00a0",
  "\u2028",
  "\u2029",
  "\ufeff",
  "\u202e",
  "\u001b[0m",
  "export ",
  "apiKey=",
  "=",
  ":",
  "{",
  "}",
  "<<<<<<< ",
]
/** Texts that are invalid in UTF-8 or not allowed in a line. They are always rejected. */
const invalidTexts = ["\ud83d", "\ude00", "\0"]

const alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/"
const word = (random: Random, length: number): string =>
  Array.from({ length }, () => alphabet.charAt(random.below(alphabet.length))).join("")

const shapes: readonly ((random: Random) => string)[] = [
  (random) => Array.from({ length: random.below(8) }, () => random.pick(atoms)).join(""),
  (random) => Array.from({ length: 1 + random.below(40) }, () => random.pick(atoms)).join(""),
  (random) => word(random, 1 + random.below(64)),
  (random) => `${word(random, 4)}${random.pick(atoms)}${word(random, 4)}`,
  (random) => `${random.pick(atoms)}${word(random, 6)}${random.pick(atoms)}`,
  (random) =>
    Array.from({ length: 1 + random.below(12) }, () => String.fromCharCode(1 + random.below(0x2ff))).join(""),
  (random) => pem(random),
  (random) =>
    JSON.stringify(
      { key: word(random, 12), text: random.pick(atoms), list: [1, null] },
      null,
      random.below(3),
    ),
  (random) =>
    `https://user:${word(random, 8)}@host.example:8443/a%20b?x=${random.pick(atoms)}&y=1#${word(random, 3)}`,
  (random) => `C:\\new\\${word(random, 3)}\\reports\\"${word(random, 2)}"`,
  (random) => random.pick(["", " ", "\n", "true", "null", "0x10", "'", '""', "` `", "#", "\\", "\\\\", "=="]),
]

/** A secret: mostly one that the dialect allows, sometimes one that it doesn't, rarely a long one. */
export function randomSecret(random: Random): string {
  const text = random.pick(shapes)(random)
  if (random.chance(0.02)) {
    const at = random.below(text.length + 1)
    return text.slice(0, at) + random.pick(invalidTexts) + text.slice(at)
  }
  return random.chance(0.002) ? text.repeat(1 + random.below(2_000)) : text
}

function pem(random: Random): string {
  const eol = random.pick(["\n", "\n", "\r\n"])
  const lines = Array.from({ length: 1 + random.below(6) }, () => word(random, 64))
  return ["-----BEGIN PRIVATE KEY-----", ...lines, "-----END PRIVATE KEY-----", ""].join(eol)
}

/** A line, or several, of a secrets file. */
export interface Piece {
  /** Undefined if it is not an assignment. */
  readonly name?: string
  readonly text: string
}

export const secretNames = ["apiKey", "token", "PASSWORD", "a", "x-1_y", "client_id"] as const

const values = [
  "",
  "plain",
  "'single # quoted'",
  '"double \\n \\" quoted"',
  "`back ' tick`",
  '"two\nlines"',
  "'three\n\nlines'",
  "with blanks inside",
  "C:\\new",
  "a=b=c",
  "$HOME",
  "ünï😀",
  "''",
]
const behind = ["", "", "", "  ", " # a comment", "\t#another"]
const before = ["", "", "", "export ", "  ", "\t"]
const between = ["=", "=", "=", " = ", "= "]
const others = ["", "# a comment", "   # another: don't=touch", "#apiKey=commented out", "   ", "#"]

/** A secrets file in pieces that add up to the file. Every piece except perhaps the last ends its line. */
export function randomSecretsFile(random: Random): readonly Piece[] {
  const eol = random.pick(["\n", "\n", "\r\n"])
  const pieces = Array.from({ length: random.below(8) }, (): Piece => {
    if (random.chance(0.3)) return { text: random.pick(others) + eol }
    const name = random.pick(secretNames)
    const text = `${random.pick(before)}${name}${random.pick(between)}${random.pick(values)}${random.pick(behind)}`
    return { name, text: text.replaceAll("\n", eol) + eol }
  })
  const last = pieces.at(-1)
  if (last === undefined || !random.chance(0.3)) return pieces
  return [...pieces.slice(0, -1), { ...last, text: last.text.slice(0, -eol.length) }]
}
