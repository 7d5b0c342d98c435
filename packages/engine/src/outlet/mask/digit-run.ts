// Finds and decodes runs of base64 and hexadecimal digits.

import { isLead, MAX_LAYERS, PERCENT, type EscapedText } from "./escapes.ts"
import { alphabet, binaryText } from "./forms.ts"
import { isBreak, joinEnd } from "./line-breaks.ts"

/** A range in a string. The end is exclusive. */
export type Range = readonly [from: number, to: number]

export interface Codec {
  readonly bits: 4 | 6
  /** Returns the value of a digit, or -1 if the character is not a digit. */
  readonly valueOf: (code: number) => number
  /** Returns true if the character may occur between two digits. */
  readonly isSeparator: (code: number) => boolean
}

const base64Values = new Int8Array(128).fill(-1)
for (const [value, digit] of Array.from(alphabet).entries()) base64Values[digit.charCodeAt(0)] = value
base64Values[0x2d] = 62
base64Values[0x5f] = 63

const hexValues = new Int8Array(128).fill(-1)
for (const [value, digit] of Array.from("0123456789abcdef").entries())
  hexValues[digit.charCodeAt(0)] = hexValues[digit.toUpperCase().charCodeAt(0)] = value

/** base64 and base64url, with line breaks. */
export const base64: Codec = {
  bits: 6,
  valueOf: (code) => base64Values[code] ?? -1,
  isSeparator: isBreak,
}

/** Hexadecimal digits, including the way that Node prints a buffer: `<Buffer 73 33 …>`. */
export const hexadecimal: Codec = {
  bits: 4,
  valueOf: (code) => hexValues[code] ?? -1,
  isSeparator: (code) => isBreak(code) || code === 0x20 || code === 0x3a || code === 0x2d,
}

/** Returns the number of digits that encode whole bytes. */
export const groupOf = ({ bits }: Codec): number => (bits === 6 ? 4 : 2)

export interface Run {
  readonly values: readonly number[]
  /** The index of each digit in the text. */
  readonly indexes: readonly number[]
  /** The index after the last digit. */
  readonly end: number
}

/** Returns the run of digits around an index. It starts at `floor` or later. */
export function runAround(codec: Codec, escaped: EscapedText, at: number, floor: number): Run {
  let start = at
  while (start > floor && mayBelong(codec, escaped.text, start - 1)) start--
  return readRun(codec, escaped, start, { least: at })
}

/** Returns whether the character is a digit or may be part of an escape, a separator or indentation. */
function mayBelong(codec: Codec, text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (codec.valueOf(code) !== -1 || isLead(code) || codec.isSeparator(code)) return true
  if (code === 0x23 || code === 0x3b) return true
  return "\t \"'`".includes(text.charAt(at)) && isBroken(text, at)
}

/** Returns whether a blank or a quote belongs to a line break. */
function isBroken(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - MAX_INDENTATION), at + 1)
  return /[\n\r][\t ]*["'`]?$/.test(before) || /^["'`]? \+\n/.test(text.slice(at, at + 4))
}

const MAX_INDENTATION = 40

/**
 * Reads up to `max` digits from an index on. If other text follows before index `least`, starts again after that text.
 */
export function readRun(
  codec: Codec,
  escaped: EscapedText,
  from: number,
  { least, max = Infinity }: { readonly least: number; readonly max?: number },
): Run {
  const { text } = escaped
  let values: number[] = []
  let indexes: number[] = []
  let end = from
  let separators = 0
  for (let at = from; at < text.length && values.length < max;) {
    const raw = codec.valueOf(text.charCodeAt(at))
    const { value, end: next } = raw === -1 ? readOther(codec, escaped, at) : { value: raw, end: at + 1 }
    separators = value === SEPARATOR ? separators + 1 : 0
    if (value >= 0) {
      values.push(value)
      indexes.push(at)
      end = next
    } else if (value === OTHER || separators > MAX_SEPARATORS) {
      if (at > least) break
      values = []
      indexes = []
    }
    at = next
  }
  return { values, indexes, end }
}

const SEPARATOR = -1
const OTHER = -2
/** The maximum number of separators between two digits: a two-character line break with a blank on each side. */
const MAX_SEPARATORS = 4

/** Reads an escaped digit, or skips a separator between two digits. */
function readOther(codec: Codec, escaped: EscapedText, at: number): { value: number; end: number } {
  const code = escaped.text.charCodeAt(at)
  if (!isLead(code) && !codec.isSeparator(code)) return { value: OTHER, end: at + 1 }
  for (const reading of isLead(code) ? escaped.readingsAt(at) : [{ code, end: at + 1 }]) {
    const value = codec.valueOf(reading.code)
    if (value !== -1) return { value, end: reading.end }
    if (!codec.isSeparator(reading.code)) continue
    if (!isBreak(reading.code)) return { value: SEPARATOR, end: reading.end }
    return { value: SEPARATOR, end: breakEnd(codec, escaped, { at, after: reading.end }) }
  }
  return { value: OTHER, end: at + 1 }
}

/** Returns the index after a line break between digits, including the indentation of the next line. */
function breakEnd(
  { valueOf }: Codec,
  escaped: EscapedText,
  { at, after }: { readonly at: number; readonly after: number },
): number {
  const joined = joinEnd(escaped, after)
  let end = joined === -1 ? after : joined
  // An escaped `+` is a base64 digit. But a form that encodes a line break as `%0A` encodes a blank as `+`.
  const isForm = escaped.text.charCodeAt(at) === PERCENT
  const layers = isForm ? layersOf(escaped, at, after) : undefined
  for (let next = end; next !== -1;) {
    end = next
    const readings = escaped.readingsAt(end, layers)
    const blank = readings.find(({ code }) => code === 0x20 || code === 0x09)
    const isDigit = !isForm && readings.some(({ code }) => valueOf(code) !== -1)
    next = isDigit ? -1 : (blank?.end ?? -1)
  }
  return end
}

function layersOf(escaped: EscapedText, at: number, end: number): number {
  let layers = 1
  while (layers < MAX_LAYERS && !escaped.readingsAt(at, layers).some((reading) => reading.end === end))
    layers++
  return layers
}

/** Decodes digits from `offset` on. Returns one character per byte. */
export function decodeRun({ bits }: Codec, { values }: Run, offset: number): string {
  const bytes = new Uint8Array(Math.max(0, Math.floor(((values.length - offset) * bits) / 8)))
  let buffer = 0
  let buffered = 0
  let size = 0
  for (let at = offset; at < values.length; at++) {
    buffer = ((buffer << bits) | (values[at] ?? 0)) & 0xffff
    buffered += bits
    if (buffered < 8) continue
    buffered -= 8
    bytes[size++] = buffer >> buffered
  }
  return binaryText(bytes)
}

const cut = /…| ?\.{3} [0-9]+ more /y

export function isCut(text: string, { end }: Run): boolean {
  cut.lastIndex = end
  return cut.test(text)
}

const PADDING = 0x3d

/** Returns the range of the digits that encode these bytes, including shared digits at both ends and padding. */
export function digitRange(
  codec: Codec,
  { escaped, run, offset }: { readonly escaped: EscapedText; readonly run: Run; readonly offset: number },
  [from, to]: Range,
): Range {
  const first = offset + Math.floor((from * 8) / codec.bits)
  const after = offset + Math.ceil((to * 8) / codec.bits)
  const start = run.indexes[first] ?? run.end
  if (after < run.indexes.length) return [start, endBefore(run, after, escaped.text)]
  let { end } = run
  for (let count = 0; count < 2; count++) end = Math.max(end, escaped.endOf(PADDING, end))
  return [start, end]
}

/** Returns the end of the last digit before `after`, so that a separator in between isn't masked. */
function endBefore(run: Run, after: number, text: string): number {
  const last = run.indexes[after - 1] ?? run.end
  return isLead(text.charCodeAt(last)) ? (run.indexes[after] ?? run.end) : last + 1
}
