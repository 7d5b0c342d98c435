// Breaks a valid file at random: its bytes, its lines, or the members of its JSON.

import type { CorpusFile } from "./corpus.ts"
import { findSpans, type ValueSpan } from "./json-spans.ts"
import { changeLines } from "./mutate-lines.ts"
import type { Random } from "./random.ts"
import { typo } from "./typo.ts"

/** The bytes of a broken copy, determined by the numbers of `random`. */
export function mutate(file: CorpusFile, random: Random): Uint8Array {
  let text = file.text
  const isJson = !file.kind.endsWith("yaml") && file.kind !== "secrets"
  if (isJson && random.chance(0.7)) {
    text = changeMembers(text, random)
    if (random.chance(0.8)) return Buffer.from(text)
  }
  if (!isJson && random.chance(0.6)) text = changeLines(text, file.kind === "secrets", random)
  let bytes: Uint8Array = Buffer.from(text)
  for (let times = random.below(3); times >= 0; times--) bytes = random.pick(byteChanges)(bytes, random)
  return bytes
}

const pieces = [
  ..."{ } [ ] \" : , ' ` # = \\ - + . 0 e E".split(" "),
  "\n",
  "\r",
  "\t",
  " ",
  "\0",
  "\u0001",
  "\u001b",
  "\ufeff",
  "\u2028",
  "\u202e",
  "\u00a0",
  "😀",
  "null",
  "{{",
  "}}",
  "{{name}}",
  "{{ }}",
  "\\u0000",
  "\\ud800",
  "\\uDFFF",
  "__proto__",
  "constructor",
  "/*x*/",
  "//",
  "<<<<<<< HEAD\n",
  "=======\n",
  "\n>>>>>>> theirs\n",
  "1e400",
  "-0",
  "0x10",
  "9007199254740993",
  "$ref",
  "..",
  "[0]",
]

const long = (random: Random): string => random.pick(pieces).repeat(1 + random.below(2_000))
const nested = (random: Random): string =>
  random.pick(["[", '{"a":', '{"id":"g","type":"group","blocks":[']).repeat(1 + random.below(3_000))

type Change<T> = (from: T, random: Random) => T

const splice = (bytes: Uint8Array, from: number, to: number, put: Uint8Array): Uint8Array =>
  Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(to)])

const byteChanges: readonly Change<Uint8Array>[] = [
  // Usually flips a bit of an ASCII character, because a broken encoding is rejected at once and reveals little.
  (bytes, random) => flip(bytes, 1 << random.below(7), random),
  (bytes, random) => flip(bytes, 1 << random.below(7), random),
  (bytes, random) => flip(bytes, 1 << random.below(8), random),
  (bytes, random) => flip(bytes, random.below(256), random),
  (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1)),
  (bytes, random) => bytes.subarray(random.below(Math.min(bytes.length, 20) + 1)),
  (bytes, random) => {
    const [from, to] = range(bytes.length, random)
    return splice(bytes, from, to, Buffer.alloc(0))
  },
  (bytes, random) => {
    const at = random.below(bytes.length + 1)
    return splice(bytes, at, at, Buffer.from(random.pick(pieces)))
  },
  (bytes, random) => {
    const [from, to] = range(bytes.length, random)
    return splice(bytes, to, to, bytes.subarray(from, to))
  },
  (bytes, random) => {
    if (!random.chance(0.02)) return bytes
    const at = random.below(bytes.length + 1)
    return splice(bytes, at, at, Buffer.from(random.chance(0.5) ? long(random) : nested(random)))
  },
]

function flip(bytes: Uint8Array, mask: number, random: Random): Uint8Array {
  const copy = Uint8Array.from(bytes)
  const at = random.below(copy.length)
  if (copy.length > 0) copy[at] = copy[at]! ^ mask
  return copy
}

function range(length: number, random: Random): [number, number] {
  const from = random.below(length + 1)
  return [from, Math.min(length, from + 1 + random.below(random.chance(0.2) ? 2_000 : 40))]
}

const spansOf = new Map<string, readonly ValueSpan[]>()

function changeMembers(text: string, random: Random): string {
  let spans = spansOf.get(text)
  if (spans === undefined) spansOf.set(text, (spans = findSpans(text)))
  let end = text.length + 1
  let changed = text
  const chosen = Array.from({ length: 1 + random.below(3) }, () => random.pick(spans)).sort(
    (a, b) => startOf(b) - startOf(a),
  )
  for (const span of chosen) {
    // An insertion inside another one would be invalid.
    if (span.to > end) continue
    end = startOf(span)
    const [head, tail] = [changed.slice(0, end), changed.slice(span.to)]
    const member = { span, text: changed, spans, before: text }
    if (random.chance(0.15)) changed = withoutMember(head, tail)
    else changed = head + random.pick(memberChanges)(member, random) + tail
  }
  return changed
}

/** Removes the member with one adjacent comma, so that the rest is as well-formed as before. */
function withoutMember(head: string, tail: string): string {
  const behind = tail.replace(/^\s*,\s*/, "")
  return behind === tail ? head.replace(/,\s*$/, "") + tail : head + behind
}

const startOf = ({ key, from }: ValueSpan): number => key?.from ?? from

interface Member {
  readonly span: ValueSpan
  /** The text with an insertion after the member. */
  readonly text: string
  /** The original text, and the positions of its values. */
  readonly before: string
  readonly spans: readonly ValueSpan[]
}

const keyOf = ({ span, text }: Member): string =>
  span.key === undefined ? "" : text.slice(span.key.from, span.key.to)
const valueOf = ({ span, text }: Member): string => text.slice(span.from, span.to)
const prefixOf = ({ span, text }: Member): string => text.slice(startOf(span), span.from)
const renamed = (member: Member, key: string): string =>
  key + prefixOf(member).slice(keyOf(member).length) + valueOf(member)

const otherValues = (random: Random): string =>
  random.pick([
    "null",
    "true",
    "false",
    "0",
    "-0",
    "-1",
    "1.5",
    "1e400",
    "9007199254740993",
    "2147483648",
    '""',
    '" "',
    '"0"',
    '"true"',
    '"{{name}}"',
    '"{{"',
    '"{{a b}}"',
    '"__proto__"',
    '"constructor"',
    '"toString"',
    '"../../etc/passwd"',
    '"CON"',
    '"a.b[0]"',
    '"\\ud800"',
    '"\\u0000\\u001b"',
    "[]",
    "{}",
    "[[]]",
    "[null]",
    '{"a":{"a":{}}}',
    '{"__proto__":{"polluted":true}}',
    '{"$ref":"#"}',
    '{"$ref":"#/components/schemas/Item"}',
    '{"$ref":"#/paths"}',
    "NaN",
    "undefined",
    "01",
    "'x'",
  ])

const memberChanges: readonly ((member: Member, random: Random) => string)[] = [
  (member, random) => prefixOf(member) + otherValues(random),
  (member, random) => prefixOf(member) + otherValues(random),
  // Another member's value: well-formed, but wrong there.
  (member, random) => {
    const { from, to } = random.pick(member.spans)
    return prefixOf(member) + member.before.slice(from, to)
  },
  (member, random) => renamed(member, typo(keyOf(member), random)),
  (member, random) =>
    renamed(
      member,
      random.pick(['"__proto__"', '"constructor"', '""', '"x"', '"$schema"', '"toString"', '"extends"']),
    ),
  (member) => `${prefixOf(member)}${valueOf(member)},${prefixOf(member)}${valueOf(member)}`,
  (member) => `${prefixOf(member)}[${valueOf(member)}]`,
  (member, random) =>
    `${prefixOf(member)}{${random.pick([keyOf(member) || '"a"', '"blocks"', '"value"'])}:${valueOf(member)}}`,
  (member) =>
    prefixOf(member) +
    (valueOf(member).startsWith('"') ? valueOf(member).slice(1, -1) : `"${valueOf(member)}"`),
  (member, random) => {
    const depth = 1 + random.below(random.chance(0.05) ? 4_000 : 5)
    return `${prefixOf(member)}${"[".repeat(depth)}${valueOf(member)}${"]".repeat(depth)}`
  },
  (member, random) => prefixOf(member) + insertInto(valueOf(member), random),
]

function insertInto(value: string, random: Random): string {
  if (!value.startsWith('"')) return value
  const at = 1 + random.below(value.length - 1)
  return value.slice(0, at) + JSON.stringify(random.pick(pieces)).slice(1, -1) + value.slice(at)
}
