// Where secrets stand in a text: all of them, in all their forms, those too that lie over one another.

import {
  base64,
  decodeRun,
  digitOf,
  groupOf,
  hexadecimal,
  isCut,
  placeOf,
  readRun,
  runAround,
  type Codec,
  type Range,
} from "./digit-run.ts"
import { isLead } from "./escapes.ts"
import { longForms, textForms } from "./forms.ts"
import { BASE64, classOf, Grams, HEX, TEXT } from "./grams.ts"
import { SecretTree } from "./secret-tree.ts"

interface SecretFinder {
  /** In no order; they may overlap. */
  readonly ranges: (text: string) => readonly Range[]
  readonly occursIn: (text: string) => boolean
  /** Looks for one more, of 4 or more characters, from now on. */
  readonly add: (secret: string) => void
}

export function createSecretFinder(): SecretFinder {
  const known = new Set<string>()
  const tree = new SecretTree()
  const grams = new Grams()
  const long = new Set<string>()
  let hasShort = false
  const learn = (secret: string): void => {
    for (const form of textForms(secret)) grams.addText(form)
    grams.addDigits(secret)
  }
  const find = (text: string, isOneEnough: boolean): readonly Range[] => {
    const found: Range[] = []
    if (hasShort) scan(text, { tree, grams, isOneEnough, depth: 0 }, found)
    for (const form of long) addLong(text, form, found)
    return found
  }
  return {
    ranges: (text) => find(text, false),
    occursIn: (text) => find(text, true).length > 0,
    add: (secret) => {
      if (known.has(secret)) return
      known.add(secret)
      if (secret.length > MAX_WALKED) {
        for (const form of longForms(secret)) long.add(form)
        return
      }
      hasShort = true
      for (const form of textForms(secret)) tree.add(form)
      if (!grams.isFull) return learn(secret)
      grams.grow()
      for (const each of known) if (each.length <= MAX_WALKED) learn(each)
    },
  }
}

/** From each place of a text that repeats itself, a walk along a longer secret of the same kind would take too long. */
const MAX_WALKED = 65_536
/** So many characters say that a long secret begins. */
const LONG_START = 24

/** Adds where a long secret stands, as far as the text goes on like it. */
function addLong(text: string, form: string, found: Range[]): void {
  const start = form.slice(0, LONG_START)
  for (let at = text.indexOf(start); at !== -1;) {
    let length = LONG_START
    while (length < form.length && text.charCodeAt(at + length) === form.charCodeAt(length)) length++
    found.push([at, at + length])
    at = text.indexOf(start, at + length)
  }
}

interface Search {
  readonly tree: SecretTree
  readonly grams: Grams
  readonly isOneEnough: boolean
  /** How many times digits were decoded. */
  readonly depth: number
}

/** Characters of a secret that can be looked for. */
const WINDOW = 4

/** A pair of credentials inside a configuration inside a token. */
const MAX_DEPTH = 3

/** Adds where secrets stand; one look at each character, and another one only where something may begin. */
function scan(text: string, search: Search, found: Range[]): void {
  const { tree, grams, isOneEnough } = search
  const { table, shift } = grams
  const mask = table.length - 1
  let digits: DigitScan | undefined
  let number = 0
  /** Up to where an escape or a line break may be a part of the four characters. */
  let reach = -1
  let digitReach = -1
  const { length } = text
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at)
    number = ((number << shift) ^ classOf(code)) & mask
    if (isSpecial(code)) {
      reach = at + WINDOW
      if (mayPartDigits(code, text, at)) digitReach = reach
    }
    const hit = table[number] ?? 0
    if ((hit === 0 && at >= reach) || at < WINDOW - 1) continue
    const from = at - WINDOW + 1
    const first = text.charCodeAt(from)
    if ((hit & TEXT) !== 0 || (at < reach && (tree.begins(first) || isLead(first)))) {
      const end = tree.endAt(text, from)
      if (end !== -1) found.push([from, end])
    }
    if (hit > TEXT || at < digitReach)
      (digits ??= new DigitScan(text, search, found)).look(
        from,
        at < digitReach ? BASE64 | HEX : hit,
        at < digitReach,
      )
    if (isOneEnough && found.length > 0) return
  }
}

/** A blank that a form writes as `+` is alike in the table. */
const isSpecial = (code: number): boolean =>
  code === 0x5c ||
  code === 0x25 ||
  code === 0x26 ||
  code === 0x7e ||
  code === 0x0a ||
  code === 0x0d ||
  code === 0

/** A line break, or an escape of one or of a digit. */
function mayPartDigits(code: number, text: string, at: number): boolean {
  if (code === 0x0a || code === 0x0d) return true
  digitEscape.lastIndex = at
  return digitEscape.test(text)
}

const digitEscape =
  /(?:%(?:25)*|[\\]+(?:u00|x))(?:2[0BFbf]|0[ADad]|3\d|[46][1-9A-Fa-f]|[57][\dAa])|[\\]+[nr/]|&(?:amp;)*(?:#(?:4[37]|1[03]|32|[Xx](?:2[0BFbf]|[ADad]))|plus|sol);/y

/** The digits of one text. Each run is decoded once. */
class DigitScan {
  readonly #text: string
  readonly #search: Search
  readonly #found: Range[]
  readonly #done = { 6: 0, 4: 0 }

  constructor(text: string, search: Search, found: Range[]) {
    this.#text = text
    this.#search = search
    this.#found = found
  }

  /** Looks at what digits say that begin at a place; `isParted` where escapes or breaks may stand between them. */
  look(from: number, hit: number, isParted: boolean): void {
    const { grams, depth } = this.#search
    if (depth >= MAX_DEPTH) return
    if ((hit & BASE64) !== 0 && this.#isNew(base64, from) && this.#holdsBase64(from, isParted))
      this.#decode(base64, from)
    if ((hit & HEX) !== 0 && this.#isNew(hexadecimal, from) && grams.holdsBytes(this.#bytes(from)))
      this.#decode(hexadecimal, from)
  }

  #isNew({ bits, valueOf }: Codec, from: number): boolean {
    const code = this.#text.charCodeAt(from)
    return from >= this.#done[bits] && (valueOf(code) !== -1 || isLead(code))
  }

  #holdsBase64(from: number, isParted: boolean): boolean {
    const { grams } = this.#search
    if (!isParted) return grams.holdsBase64(this.#text, from)
    const { values } = readRun(base64, this.#text, from, { least: from, most: WINDOW })
    return grams.holdsBase64(values.map(digitOf).join(""))
  }

  #bytes(from: number): string {
    const run = readRun(hexadecimal, this.#text, from, { least: from, most: 2 * WINDOW })
    return decodeRun(hexadecimal, run, 0)
  }

  #decode(codec: Codec, at: number): void {
    const text = this.#text
    const run = runAround(codec, text, at, this.#done[codec.bits])
    this.#done[codec.bits] = Math.max(run.end, at + 1)
    const more = isCut(text, run) ? "…" : ""
    // Nobody knows which digit begins a group.
    for (let offset = 0; offset < groupOf(codec); offset++) {
      const inner: Range[] = []
      const bytes = decodeRun(codec, run, offset)
      scan(bytes + more, { ...this.#search, depth: this.#search.depth + 1 }, inner)
      for (const [from, to] of inner)
        this.#found.push(placeOf(codec, { text, run, offset }, [from, to === bytes.length ? Infinity : to]))
    }
  }
}

/** The text with every range replaced; what overlaps is one. */
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
