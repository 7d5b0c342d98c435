// Secrets generated from a seed, and their encodings: each escape by itself, and up to three nested.

import { inspect } from "node:util"

/** Numbers from 0 up to and excluding a limit, always the same for one seed. */
export function createDraw(seed: number): (limit: number) => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
const controls = Array.from({ length: 31 }, (_, at) => String.fromCharCode(at + 1)).join("")

const alphabets = {
  plain: letters,
  quotes: `${letters}"'\`"'\`\\\\`,
  punctuation: `${letters}"'\`\\/+=&<>%?#@:;,{}[]()|^~*$!-_. `,
  control: `${letters}${controls}\u007f`,
  slashes: `${letters}////\\\\\\~~`,
  wide: `${letters}äöüßéñ漢字日本😀€\u00a0`,
}

type Draw = ReturnType<typeof createDraw>

function randomText(draw: Draw, length: number, alphabet: string): string {
  const characters = Array.from(alphabet)
  let text = ""
  while (text.length < length) text += characters[draw(characters.length)] ?? ""
  return Buffer.from(text.slice(0, length)).toString()
}

/** Returns a length, usually that of a key or a password. */
const lengthOf = (draw: Draw): number => 4 + draw([8, 20, 60, 60, 400, 3997][draw(6)] ?? 8)

const shapes: readonly ((draw: Draw) => string)[] = [
  ...Object.values(alphabets).map((alphabet) => (draw: Draw) => randomText(draw, lengthOf(draw), alphabet)),
  // Lines, including some too short to be secret by themselves.
  (draw) =>
    Array.from({ length: 2 + draw(6) }, () => randomText(draw, 1 + draw(20), alphabets.plain)).join("\n"),
  (draw) =>
    Array.from({ length: 2 + draw(4) }, () => randomText(draw, 3 + draw(12), alphabets.punctuation)).join(
      "\r\n",
    ),
  (draw) =>
    JSON.stringify(
      { [randomText(draw, 5, letters)]: randomText(draw, 9, alphabets.quotes), n: [draw(1000), null] },
      undefined,
      draw(3),
    ),
  (draw) =>
    `https://${randomText(draw, 5, letters)}.example/${randomText(draw, 12, letters)}?sig=${encodeURIComponent(randomText(draw, 20, alphabets.punctuation))}&v=${draw(99)}`,
]

export const generatePlain = (draw: Draw, length: number): string => randomText(draw, length, alphabets.plain)

/** A secret of 4 to 4,000 characters. */
export function generateSecret(draw: Draw, shape = draw(shapes.length)): string {
  const make = shapes[shape % shapes.length]
  const made = make?.(draw) ?? ""
  // HTTP removes spaces at both ends, and a word of letters could be in any report.
  return made.trim().length < 4 ? `${made}${randomText(draw, 8, letters)}` : made
}

type Write = (text: string) => string
type Writers = Readonly<Record<string, Write>>

const bytesOf = (text: string): readonly number[] => [...Buffer.from(text)]
const hexOf = (byte: number): string => byte.toString(16).padStart(2, "0")
const each = (text: string, write: (character: string) => string): string =>
  Array.from(text, (character) => (/[A-Za-z0-9]/.test(character) ? character : write(character))).join("")
const around = (before: number, text: string): Buffer => Buffer.from(`${"~".repeat(before)}${text}~`)

const named: Readonly<Record<string, string>> = {
  "&": "amp",
  "<": "lt",
  ">": "gt",
  '"': "quot",
  "'": "apos",
  "/": "sol",
  "\\": "bsol",
  "%": "percnt",
  ä: "auml",
  "\u00a0": "nbsp",
}

/** Encoders that keep letters and digits. */
const escapes: Writers = {
  json: (text) => JSON.stringify(text).slice(1, -1),
  "json in ASCII": (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replaceAll(/[^\0-\x7f]|[/'&<>+]/g, (character) =>
        character
          .split("")
          .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
          .join(""),
      ),
  inspected: (text) => inspect({ text, list: [text] }, { maxStringLength: null, breakLength: 80 }),
  "with single quotes": (text) =>
    text.replaceAll(/[\\']/g, "\\$&").replaceAll(/[\0-\x1f]/g, (unit) => `\\x${hexOf(unit.charCodeAt(0))}`),
  component: (text) => encodeURIComponent(text),
  "component in lowercase": (text) =>
    encodeURIComponent(text).replaceAll(/%../g, (escape) => escape.toLowerCase()),
  form: (text) => new URLSearchParams({ a: text }).toString(),
  decimal: (text) => each(text, (character) => `&#${character.codePointAt(0)};`),
  hexadecimal: (text) => each(text, (character) => `&#x${(character.codePointAt(0) ?? 0).toString(16)};`),
  named: (text) =>
    each(text, (character) => (named[character] === undefined ? character : `&${named[character]};`)),
  pointer: (text) => text.replaceAll("~", "~0").replaceAll("/", "~1"),
  indented: (text) => text.replaceAll("\n", "\n    "),
}

const escapesBlanks = new Set(["component", "component in lowercase", "form", "decimal", "hexadecimal"])

const base64: Writers = {
  ...Object.fromEntries(
    [0, 1, 2].map((before) => [
      `base64 after ${before}`,
      (text: string) => around(before, text).toString("base64"),
    ]),
  ),
  base64url: (text) => around(1, text).toString("base64url"),
  "base64 in lines": (text) => around(2, text).toString("base64").replaceAll(/.{19}/g, "$&\r\n"),
}

/** Encoders that keep no character. */
const codings: Writers = {
  ...base64,
  percent: (text) =>
    bytesOf(text)
      .map((byte) => `%${hexOf(byte)}`)
      .join(""),
  hex: (text) => Buffer.from(text).toString("hex"),
  "a buffer": (text) => `<Buffer ${bytesOf(text).map(hexOf).join(" ")}>`,
}

const utf16: Write = (text) => Buffer.from(text, "utf16le").toString("base64")

const all: Writers = { ...escapes, ...codings, utf16 }

/** Applies encoders to a text, innermost first. */
export const writeBy = (by: readonly string[], text: string): string =>
  by.reduce((written, name) => all[name]?.(written) ?? written, text)

/** Up to three nested encoders with one encoding among them, or two base64, and the encoded text. */
export function generateWriting(
  draw: Draw,
  text: string,
): { readonly by: readonly string[]; readonly text: string } {
  const by: string[] = []
  let written = text
  let isCoded = false
  const add = (writers: Writers): void => {
    // Spaces between bytes are spaces.
    const names = Object.keys(writers).filter(
      (name) => !by.includes(name) && !(by.includes("a buffer") && escapesBlanks.has(name)),
    )
    const name = names[draw(names.length)] ?? ""
    by.push(name)
    written = writers[name]?.(written) ?? written
    isCoded ||= writers !== escapes
  }
  // The text itself may be encoded as UTF-16.
  if (draw(10) === 0) add({ utf16 })
  for (let left = 1 + draw(3) - by.length; left > 0; left--) add(isCoded || draw(3) > 0 ? escapes : codings)
  if (by.length === 1 && by[0] !== undefined && by[0] in base64 && draw(2) > 0) add(base64)
  return { by, text: written }
}
