// Decodes the base64 and hexadecimal digits in a text.

import { byteSeparators, searchRewritten, type Range } from "./rewrite.ts"

interface Codec {
  readonly encoding: "base64" | "hex"
  readonly bits: 6 | 4
  /** The number of digits that encode whole bytes. */
  readonly group: number
  /** Matches digits and padding. */
  readonly runs: RegExp
  /**
   * Matches digits that encode printable characters, as most secrets do: two groups of three bytes (or of UTF-16), or
   * eight bytes. At the end of a text that was cut, fewer are enough.
   */
  readonly printable: RegExp
}

const group = String.raw`[I-Za-f][C-HS-Xi-nyz0-3][ABEFIJMNQRUVYZcdghklopstwx014589][\w+/-]`
const [even, odd] = [String.raw`[I-Za-f][AQgw][AB][\w+/-]`, "A[C-H][AEIMQUYcgkosw048]A"]
const byte = String.raw`[2-7][\da-fA-F]`
const cut = String.raw`(?:…| ?\.{3} \d+ more )`
const isCut = new RegExp(cut, "y")

const base64: Codec = {
  encoding: "base64",
  bits: 6,
  group: 4,
  runs: /[\w+/-]+={0,2}/g,
  printable: new RegExp(String.raw`(?:${group}){2}|${even}${odd}|${odd}${even}|${group}[\w+/-]{0,7}${cut}`),
}

const hexadecimal: Codec = {
  encoding: "hex",
  bits: 4,
  group: 2,
  runs: /[\da-fA-F]+/g,
  printable: new RegExp(`(?:${byte}){8}|(?:${byte}){4,7}${cut}`),
}

/** The number of digits of the shortest secret that is searched for. */
const MIN_DIGITS = 6

/** Matches four bytes in hexadecimal, as in `<Buffer 73 33>`. */
const separateBytes = /(?:[\da-fA-F]{2}[ :+-]){3}[\da-fA-F]{2}/

export interface DigitSearch {
  /** Searches decoded bytes, one character per byte. */
  readonly search: (bytes: string) => readonly Range[]
  /** Whether digits may encode a secret that isn't printable. */
  readonly mayEncode: (digits: string) => boolean
}

/** Decodes all digits that may encode a secret. Returns the ranges of the digits that do. */
export function searchDigits(text: string, by: DigitSearch): readonly Range[] {
  const ofBytes = (joined: string) => searchRuns(joined, hexadecimal, by)
  const found = [searchRuns(text, base64, by), ofBytes(text)]
  if (separateBytes.test(text)) found.push(searchRewritten(text, byteSeparators, ofBytes))
  return found.flat()
}

function searchRuns(text: string, codec: Codec, { search, mayEncode }: DigitSearch): readonly Range[] {
  const isEncoded = (digits: string): boolean => codec.printable.test(digits) || mayEncode(digits)
  if (!isEncoded(text)) return []
  const { encoding, bits } = codec
  const found: Range[] = []
  for (const { 0: run, index } of text.matchAll(codec.runs)) {
    const end = (isCut.lastIndex = index + run.length)
    const more = run.length >= MIN_DIGITS && isCut.test(text) ? "…" : ""
    if (run.length < MIN_DIGITS || !isEncoded(run + more)) continue
    // The digits may start in the middle of a group, so try every offset.
    for (let offset = 0; offset < codec.group; offset++) {
      const bytes = Buffer.from(run.slice(offset), encoding).toString("latin1")
      const first = index + offset
      for (const [from, to] of search(bytes + more))
        found.push([
          first + Math.floor((from * 8) / bits),
          // The last digit and the padding belong to the last byte.
          to >= bytes.length ? end : first + Math.ceil((to * 8) / bits),
        ])
    }
  }
  return found
}

/** Returns the digits by which a search recognizes an encoded secret that isn't printable. */
export const hintsOf = (secret: string): readonly string[] => {
  // No escape changes letters and digits. Without four in a row, the start is escaped in each usual way.
  const plain = /[A-Za-z0-9]{4,}/.exec(secret)?.[0]
  const [start = ""] = /^.{1,6}/su.exec(secret) ?? []
  const texts =
    plain === undefined
      ? [start, ...writers.map((write) => start.replaceAll(/[^A-Za-z0-9]/gu, write))]
      : [plain]
  const wide = Buffer.from(plain ?? start, "utf16le")
  return [...texts.map((text) => Buffer.from(text)), wide, Buffer.from(wide).swap16()].flatMap((bytes) => {
    const aligned = [0, 1, 2].map((before) => {
      const digits = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64url")
      return digits.slice(before === 0 ? 0 : before + 1, Math.floor(((before + bytes.length) * 8) / 6))
    })
    const standard = aligned.map((digits) => digits.replaceAll("-", "+").replaceAll("_", "/"))
    const hex = bytes.toString("hex")
    return [...aligned, ...standard, hex, hex.toUpperCase()]
  })
}

const code = (character: string, radix: 10 | 16): string => (character.codePointAt(0) ?? 0).toString(radix)

/** The usual escapes of a character that keep letters and digits. */
const writers: readonly ((character: string) => string)[] = [
  (character) => JSON.stringify(character).slice(1, -1),
  (character) => encodeURIComponent(Buffer.from(character).toString()),
  (character) => `&#${code(character, 10)};`,
  (character) => `&#x${code(character, 16)};`,
  (character) => `\\x${code(character, 16).padStart(2, "0")}`,
  (character) => `\\u${code(character, 16).padStart(4, "0")}`,
]
