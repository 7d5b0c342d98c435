// Finds every secret in a string, in all encodings. Matches may overlap.

import {
  base64,
  decodeRun,
  groupOf,
  hexadecimal,
  isCut,
  digitRange,
  readRun,
  runAround,
  type Codec,
  type Range,
} from "./digit-run.ts"
import { EscapedText, isLead } from "./escapes.ts"
import { digitOf, textForms } from "./forms.ts"
import { BASE64, classOf, Grams, HEX, TEXT } from "./grams.ts"
import { isBreak } from "./line-breaks.ts"
import { SecretTree } from "./secret-tree.ts"

export function createSecretFinder() {
  const known = new Set<string>()
  let added: string[] = []
  const tree = new SecretTree()
  const grams = new Grams()
  const learn = (secrets: Iterable<string>): void => {
    for (const secret of secrets) {
      for (const form of textForms(secret)) {
        tree.add(form)
        grams.addText(form)
      }
      grams.addDigits(secret)
    }
  }
  const learnAdded = (): void => {
    learn(grams.grow(grams.size + added.length * USUAL_ENTRIES) ? known : added)
    // Some secrets add unusually many entries, so the table may have to grow again.
    if (grams.grow(grams.size)) learn(known)
    added = []
  }
  const find = (text: string, isOneEnough: boolean): readonly Range[] => {
    if (added.length > 0) learnAdded()
    const found: Range[] = []
    if (known.size > 0) scan(text, { tree, grams, isOneEnough, depth: 0 }, found)
    return found
  }
  return {
    /** Returns the ranges of all matches, unordered. They may overlap. */
    ranges: (text: string) => find(text, false),
    occursIn: (text: string) => find(text, true).length > 0,
    /** Adds a secret of 4 or more characters. */
    add: (secret: string): void => {
      if (known.has(secret)) return
      known.add(secret)
      added.push(secret)
    },
  }
}

/** The usual number of table entries per secret. */
const USUAL_ENTRIES = 2

interface Search {
  readonly tree: SecretTree
  readonly grams: Grams
  readonly isOneEnough: boolean
  /** The number of times that digits were decoded to get this text. */
  readonly depth: number
}

/** The minimum length of a secret that the search can find. */
const WINDOW = 4

/** The maximum depth of decoding. Credentials inside a configuration inside a token have depth 3. */
const MAX_DEPTH = 3

/** Adds the ranges of all matches. Reads each character once, and again only where a secret may start. */
function scan(text: string, search: Search, found: Range[]): void {
  const { tree, grams, isOneEnough, depth } = search
  const { table, shift } = grams
  const mask = table.length - 1
  let escaped: EscapedText | undefined
  let digits: DigitScan | undefined
  let number = 0
  /** The last index at which the window of four characters may contain part of an escape or a line break. */
  let reach = -1
  let digitReach = -1
  const { length } = text
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at)
    number = ((number << shift) ^ classOf(code)) & mask
    if (isSpecial(code)) {
      reach = at + WINDOW
      escaped ??= new EscapedText(text)
      if (mayPartDigits(code, escaped, at)) digitReach = reach
    }
    const hit = table[number] ?? 0
    if ((hit === 0 && at >= reach) || at < WINDOW - 1) continue
    const from = at - WINDOW + 1
    const first = text.charCodeAt(from)
    escaped ??= new EscapedText(text)
    if ((hit & TEXT) !== 0 || (at < reach && (tree.begins(first) || isLead(first)))) {
      const end = tree.endAt(escaped, from)
      if (end !== -1) found.push([from, end])
      if (escaped.stepsLeft <= 0) {
        found.push([from, length])
        return
      }
    }
    if (hit > TEXT || at < digitReach)
      (digits ??= new DigitScan(escaped, search, found)).look(
        from,
        at < digitReach ? BASE64 | HEX : hit,
        at < digitReach,
      )
    if (isOneEnough && found.length > 0) return
  }
  if (depth >= MAX_DEPTH) return
  if (printable[6].test(text) || printable[4].test(text))
    new DigitScan(escaped ?? new EscapedText(text), search, found).lookForPrintable()
}

/**
 * Matches digits that encode printable characters, as most secrets do: two groups of three bytes (or of UTF-16), or
 * eight bytes. At the end of a text that was cut, fewer are enough.
 */
const group = String.raw`[I-Za-f][C-HS-Xi-nyz0-3][ABEFIJMNQRUVYZcdghklopstwx014589][\w+/-]`
const [even, odd] = [String.raw`[I-Za-f][AQgw][AB][\w+/-]`, "A[C-H][AEIMQUYcgkosw048]A"]
const byte = String.raw`[2-7][\da-fA-F][ :+-]?`
const printable = {
  6: new RegExp(String.raw`(?:${group}){2}|${even}${odd}|${odd}${even}|${group}(?=[\w+/-]{0,7}(?:…|\.{3}))`),
  4: new RegExp(String.raw`(?:${byte}){8}|(?:${byte}){4,7}(?=…| ?\.{3})`),
}

/** Returns whether a character is NUL, a line break or the start of an escape. `+` isn't: it counts as a blank. */
const isSpecial = (code: number): boolean =>
  code === 0x5c ||
  code === 0x25 ||
  code === 0x26 ||
  code === 0x7e ||
  code === 0x0a ||
  code === 0x0d ||
  code === 0

/**
 * Returns whether an index is the start of a line break, or of an escape of a line break, a digit or a byte separator.
 */
const mayPartDigits = (code: number, escaped: EscapedText, at: number): boolean =>
  isBreak(code) ||
  (isLead(code) &&
    escaped
      .readingsAt(at)
      .some(
        ({ code, end }) =>
          end > at + 1 &&
          (isBreak(code) ||
            base64.valueOf(code) !== -1 ||
            (hexadecimal.isSeparator(code) && /^[\da-f]{2}$/i.test(escaped.text.slice(at - 2, at)))),
      ))

class DigitScan {
  readonly #escaped: EscapedText
  readonly #search: Search
  readonly #found: Range[]
  readonly #done = { 6: 0, 4: 0 }

  constructor(escaped: EscapedText, search: Search, found: Range[]) {
    this.#escaped = escaped
    this.#search = search
    this.#found = found
  }

  /** Searches the digits that start at an index. If `isParted`, escapes or line breaks may be between them. */
  look(from: number, hit: number, isParted: boolean): void {
    if (this.#search.depth >= MAX_DEPTH) return
    if ((hit & BASE64) !== 0 && this.#isNew(base64, from) && this.#holdsBase64(from, isParted))
      this.#decode(base64, from)
    if ((hit & HEX) !== 0 && this.#isNew(hexadecimal, from) && this.#holdsHex(from, isParted))
      this.#decode(hexadecimal, from)
  }

  /** Searches all digits that may encode printable characters. */
  lookForPrintable(): void {
    for (const codec of [base64, hexadecimal]) {
      const pattern = new RegExp(printable[codec.bits], "g")
      for (let match = pattern.exec(this.#escaped.text); match; match = pattern.exec(this.#escaped.text)) {
        this.#decode(codec, match.index)
        pattern.lastIndex = this.#done[codec.bits]
      }
    }
  }

  #isNew({ bits, valueOf }: Codec, from: number): boolean {
    if (from < this.#done[bits]) return false
    const code = this.#escaped.text.charCodeAt(from)
    if (valueOf(code) !== -1) return true
    return isLead(code) && this.#escaped.readingsAt(from).some(({ code }) => valueOf(code) !== -1)
  }

  #holdsBase64(from: number, isParted: boolean): boolean {
    const { grams } = this.#search
    if (!isParted) return grams.holdsBase64(this.#escaped.text, from)
    const { values } = readRun(base64, this.#escaped, from, { least: from, max: WINDOW })
    return (
      values.length > 1 &&
      (grams.holdsBase64(values.map(digitOf).join("")) || this.#mayBePrintable(base64, from))
    )
  }

  #holdsHex(from: number, isParted: boolean): boolean {
    const run = readRun(hexadecimal, this.#escaped, from, { least: from, max: 2 * WINDOW })
    if (run.values.length < 2) return false
    if (this.#search.grams.holdsBytes(decodeRun(hexadecimal, run, 0))) return true
    return isParted && this.#mayBePrintable(hexadecimal, from)
  }

  /** Returns whether digits with escapes or line breaks between them may encode printable characters. */
  #mayBePrintable(codec: Codec, from: number): boolean {
    const [before, max] = codec === base64 ? [4, 12] : [12, 28]
    const { values } = readRun(codec, this.#escaped, Math.max(0, from - before), { least: from, max })
    const digits = values.map((value) => (codec === base64 ? digitOf(value) : value.toString(16)))
    return printable[codec.bits].test(digits.join(""))
  }

  #decode(codec: Codec, at: number): void {
    const escaped = this.#escaped
    const run = runAround(codec, escaped, at, this.#done[codec.bits])
    this.#done[codec.bits] = Math.max(run.end, at + 1)
    const more = isCut(escaped.text, run) ? "…" : ""
    // The digits may start in the middle of a group, so try every offset.
    for (let offset = 0; offset < groupOf(codec); offset++) {
      const inner: Range[] = []
      const bytes = decodeRun(codec, run, offset)
      scan(bytes + more, { ...this.#search, depth: this.#search.depth + 1 }, inner)
      for (const [from, to] of inner)
        this.#found.push(
          digitRange(codec, { escaped, run, offset }, [from, to === bytes.length ? Infinity : to]),
        )
    }
  }
}

/** Replaces every range. Merges overlapping ranges. */
export function replaceRanges(text: string, ranges: readonly Range[], by: string): string {
  if (ranges.length === 0) return text
  let replaced = ""
  let end = 0
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (to <= end) continue
    if (from >= end) replaced += text.slice(end, from) + by
    end = to
  }
  return replaced + text.slice(end)
}
