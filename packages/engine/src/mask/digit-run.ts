// Runs of base64 and hexadecimal digits, and the bytes that they say.

import { isLead, LAYERS, PERCENT, type EscapedText } from "./escapes.ts"
import { alphabet, binaryText } from "./forms.ts"
import { isBreak, joinEnd } from "./line-breaks.ts"

/** Where something stands in a text: from, up to and without. */
export type Range = readonly [from: number, to: number]

export interface Codec {
  /** Bits that a digit says. */
  readonly bits: 4 | 6
  /** What a character says as a digit; -1 if it is none. */
  readonly valueOf: (code: number) => number
  /** Whether two digits may be parted by it. */
  readonly isSeparator: (code: number) => boolean
}

const base64Values = new Int8Array(128).fill(-1)
for (const [value, digit] of Array.from(alphabet).entries()) base64Values[digit.charCodeAt(0)] = value
base64Values[0x2d] = 62
base64Values[0x5f] = 63

const hexValues = new Int8Array(128).fill(-1)
for (const [value, digit] of Array.from("0123456789abcdef").entries())
  hexValues[digit.charCodeAt(0)] = hexValues[digit.toUpperCase().charCodeAt(0)] = value

/** base64 and base64url, in lines too. */
export const base64: Codec = {
  bits: 6,
  valueOf: (code) => base64Values[code] ?? -1,
  isSeparator: isBreak,
}

/** Hexadecimal, as Node shows a buffer too: `<Buffer 73 33 …>`. */
export const hexadecimal: Codec = {
  bits: 4,
  valueOf: (code) => hexValues[code] ?? -1,
  isSeparator: (code) => isBreak(code) || code === 0x20 || code === 0x3a || code === 0x2d,
}

/** Digits that say whole bytes together. */
export const groupOf = ({ bits }: Codec): number => (bits === 6 ? 4 : 2)

export interface Run {
  /** What each digit says. */
  readonly values: readonly number[]
  /** Where each digit stands. */
  readonly places: readonly number[]
  /** Behind the last digit. */
  readonly end: number
}

/** The run that a place is in; `floor` is where it can begin at the earliest. */
export function runAround(codec: Codec, escaped: EscapedText, at: number, floor: number): Run {
  let start = at
  while (start > floor && mayBelong(codec, escaped.text, start - 1)) start--
  return readRun(codec, escaped, start, { least: at })
}

/** Also a part of an escape, or of an indentation. */
function mayBelong(codec: Codec, text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (codec.valueOf(code) !== -1 || isLead(code) || codec.isSeparator(code)) return true
  if (code === 0x23 || code === 0x3b) return true
  return "\t \"'`".includes(text.charAt(at)) && isBroken(text, at)
}

/** Whether a blank or a quote belongs to a line break. */
function isBroken(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - MAX_INDENTATION), at + 1)
  return /[\n\r][\t ]*["'`]?$/.test(before) || /^["'`]? \+\n/.test(text.slice(at, at + 4))
}

const MAX_INDENTATION = 40

/** Reads digits up to the first other character behind `least`, or so many of them. */
export function readRun(
  codec: Codec,
  escaped: EscapedText,
  from: number,
  { least, most = Infinity }: { readonly least: number; readonly most?: number },
): Run {
  const { text } = escaped
  let values: number[] = []
  let places: number[] = []
  let end = from
  let separators = 0
  for (let at = from; at < text.length && values.length < most;) {
    const raw = codec.valueOf(text.charCodeAt(at))
    const { value, end: next } = raw === -1 ? readOther(codec, escaped, at) : { value: raw, end: at + 1 }
    separators = value === SEPARATOR ? separators + 1 : 0
    if (value >= 0) {
      values.push(value)
      places.push(at)
      end = next
    } else if (value === OTHER || separators > MAX_SEPARATORS) {
      if (at > least) break
      values = []
      places = []
    }
    at = next
  }
  return { values, places, end }
}

const SEPARATOR = -1
const OTHER = -2
/** Between two digits: a line break of two characters, and a blank at each end. */
const MAX_SEPARATORS = 4

/** What an escape says, or what stands between digits. */
function readOther(codec: Codec, escaped: EscapedText, at: number): { value: number; end: number } {
  const code = escaped.text.charCodeAt(at)
  if (!isLead(code) && !codec.isSeparator(code)) return { value: OTHER, end: at + 1 }
  for (const reading of isLead(code) ? escaped.readingsAt(at) : [{ code, end: at + 1 }]) {
    const value = codec.valueOf(reading.code)
    if (value !== -1) return { value, end: reading.end }
    if (!codec.isSeparator(reading.code)) continue
    if (!isBreak(reading.code)) return { value: SEPARATOR, end: reading.end }
    return { value: SEPARATOR, end: breakEnd(codec, escaped, { at, behind: reading.end }) }
  }
  return { value: OTHER, end: at + 1 }
}

/** Behind a line break between digits, and the indentation of the next line. */
function breakEnd(
  { valueOf }: Codec,
  escaped: EscapedText,
  { at, behind }: { readonly at: number; readonly behind: number },
): number {
  const joined = joinEnd(escaped, behind)
  let end = joined === -1 ? behind : joined
  // A `+` is a digit of base64, however it is escaped; but who writes a break as `%0A` writes a blank as `+`.
  const isForm = escaped.text.charCodeAt(at) === PERCENT
  const layers = isForm ? layersOf(escaped, at, behind) : undefined
  for (let next = end; next !== -1;) {
    end = next
    const readings = escaped.readingsAt(end, layers)
    const blank = readings.find(({ code }) => code === 0x20 || code === 0x09)
    const isDigit = !isForm && readings.some(({ code }) => valueOf(code) !== -1)
    next = isDigit ? -1 : (blank?.end ?? -1)
  }
  return end
}

/** How often what stands at a place is escaped. */
function layersOf(escaped: EscapedText, at: number, end: number): number {
  let layers = 1
  while (layers < LAYERS && !escaped.readingsAt(at, layers).some((reading) => reading.end === end)) layers++
  return layers
}

/** The bytes that digits say from the given one on, a character for each; with `…` where the text was cut behind them. */
export function decodeRun({ bits }: Codec, { values }: Run, offset: number): string {
  const bytes = new Uint8Array(Math.max(0, Math.floor(((values.length - offset) * bits) / 8)))
  let buffer = 0
  let held = 0
  let size = 0
  for (let at = offset; at < values.length; at++) {
    buffer = ((buffer << bits) | (values[at] ?? 0)) & 0xffff
    held += bits
    if (held < 8) continue
    held -= 8
    bytes[size++] = buffer >> held
  }
  return binaryText(bytes)
}

const cut = /…| ?\.{3} [0-9]+ more /y

/** Whether the text was cut behind a run. */
export function isCut(text: string, { end }: Run): boolean {
  cut.lastIndex = end
  return cut.test(text)
}

const PADDING = 0x3d

/** Where bytes of a run stand in the text: all digits that they decide in part, and what fills up the last group. */
export function placeOf(
  codec: Codec,
  { escaped, run, offset }: { readonly escaped: EscapedText; readonly run: Run; readonly offset: number },
  [from, to]: Range,
): Range {
  const first = offset + Math.floor((from * 8) / codec.bits)
  const behind = offset + Math.ceil((to * 8) / codec.bits)
  const start = run.places[first] ?? run.end
  if (behind < run.places.length) return [start, endBefore(run, behind, escaped.text)]
  let { end } = run
  for (let count = 0; count < 2; count++) end = Math.max(end, escaped.endOf(PADDING, end))
  return [start, end]
}

/** Behind the digit before the given one: a separator between them stays. */
function endBefore(run: Run, behind: number, text: string): number {
  const last = run.places[behind - 1] ?? run.end
  return isLead(text.charCodeAt(last)) ? (run.places[behind] ?? run.end) : last + 1
}
