// Secrets -> `***`, in every form in which they travel. Events are masked as they are made; nothing unmasked leaves the engine.

import { isJsonArray, type JsonValue } from "@callsheet/format"

export const MASK = "***"

export interface Masker {
  /** Masks a text that comes from outside: a message, a header, a log line. */
  readonly text: (text: string) => string
  /** A copy of a value with secrets masked and integers beyond 2^53 written out as text. */
  readonly value: (value: JsonValue) => JsonValue
  /** Masks a name from outside, of a header or member: a short secret is no name's whole value. */
  readonly name: (text: string) => string
  /** Masks a URL; a segment of its path and a value of its query are whole values. */
  readonly url: (text: string) => string
  /** Masks a header of cookies or credentials; each cookie's value, and what stands behind a scheme, is a whole value. */
  readonly header: (text: string) => string
  /** Whether the text is a secret, or one of 4 or more characters occurs in it, in any form. */
  readonly occursIn: (text: string) => boolean
}

type SecretValue = string | number | bigint | boolean

/** Text of this length is masked wherever it occurs; shorter text, numbers and booleans only as whole values. */
const ANYWHERE_FROM = 4

export function createMasker(secrets: Iterable<SecretValue>): Masker {
  const values = new Set([...secrets].filter((secret) => secret !== ""))
  if (values.size === 0) return openMasker
  const whole = new Set<string>()
  const anywhere: string[] = []
  let hasShort = false
  for (const secret of values) {
    for (const form of wholeForms(String(secret))) whole.add(form)
    if (typeof secret === "string" && secret.length >= ANYWHERE_FROM) anywhere.push(secret)
    else hasShort = true
  }
  // Longest first: where one secret is part of another, no tail of the longer one may stay.
  anywhere.sort((a, b) => b.length - a.length)
  const pattern =
    anywhere.length === 0
      ? undefined
      : new RegExp(anywhere.flatMap((secret) => [...patternsOf(secret)]).join("|"), "g")
  const name = (from: string): string => (pattern === undefined ? from : from.replace(pattern, MASK))
  const text = (from: string): string => (whole.has(from) ? MASK : name(from))
  // Looked at value by value only where a secret is that nothing else finds.
  const valuesOf = (values: RegExp) => (from: string) =>
    name(hasShort ? from.replace(values, (value) => (whole.has(value) ? MASK : value)) : from)
  const credentials = valuesOf(credentialValues)
  return {
    text,
    name,
    url: valuesOf(urlValues),
    header: (from) => (whole.has(from) ? MASK : credentials(from)),
    value: (value) => copy(value, { text, name, isWholeSecret: (scalar) => whole.has(String(scalar)) }),
    occursIn: (from) => whole.has(from) || (pattern !== undefined && from.search(pattern) !== -1),
  }
}

const urlValues = /(?<=[/=])[^/?&#=]+/g
const credentialValues = /(?<=[=\s])[^\s;,=]+/g

const unchanged = (text: string): string => text

const openMasker: Masker = {
  text: unchanged,
  name: unchanged,
  url: unchanged,
  header: unchanged,
  value: (value) => copy(value, { text: unchanged, name: unchanged, isWholeSecret: () => false }),
  occursIn: () => false,
}

interface Rules {
  readonly text: (text: string) => string
  readonly name: (text: string) => string
  readonly isWholeSecret: (scalar: number | bigint | boolean) => boolean
}

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)

// Iterative: a response may nest deeper than the stack.
function copy(value: JsonValue, rules: Rules): JsonValue {
  if (typeof value !== "object" || value === null) return scalar(value, rules)
  const root = emptyLike(value)
  const work: [from: object, to: object][] = [[value, root]]
  const inner = (child: JsonValue): JsonValue => {
    if (typeof child !== "object" || child === null) return scalar(child, rules)
    const to = emptyLike(child)
    work.push([child, to])
    return to
  }
  for (let pair = work.pop(); pair !== undefined; pair = work.pop()) {
    const [from, to] = pair
    if (isJsonArray(from)) for (const child of from) (to as JsonValue[]).push(inner(child))
    else {
      for (const [key, child] of Object.entries(from as Record<string, JsonValue>)) {
        Object.defineProperty(to, rules.name(key), {
          value: inner(child),
          enumerable: true,
          configurable: true,
          writable: true,
        })
      }
    }
  }
  return root
}

const emptyLike = (value: object): JsonValue[] | Record<string, JsonValue> => (Array.isArray(value) ? [] : {})

function scalar(value: string | number | bigint | boolean | null, rules: Rules): JsonValue {
  if (value === null) return null
  if (typeof value === "string") return rules.text(value)
  if (rules.isWholeSecret(value)) return MASK
  return typeof value === "bigint" ? String(value) : value
}

/** The texts that a whole value can be where it is the secret: as it is, percent-encoded, base64. */
function* wholeForms(secret: string): Generator<string> {
  yield secret
  const percent = encodePercent(secret)
  yield percent
  yield percent.replaceAll("%20", "+")
  yield encodeURIComponent(toWellFormed(secret))
  yield btoa(String.fromCharCode(...new TextEncoder().encode(secret)))
}

/** Regular expressions for the forms in which a secret of 4 or more characters may travel. */
function* patternsOf(secret: string): Generator<string> {
  yield Array.from(secret).map(characterPattern).join("")
  yield* base64Patterns(secret)
  // eslint-disable-next-line no-control-regex
  if (!/^[\u0000-\u007f]+$/.test(secret)) return
  // UTF-16 that was read byte by byte.
  const wide = secret.split("").join("\0")
  yield escapePattern(wide)
  yield* base64Patterns(wide)
}

/**
 * One character as it is, percent-encoded, or escaped by JSON or HTML. Writers choose differently what they escape, so each
 * character has its own choice; letters and digits are left alone by all of them.
 */
function characterPattern(character: string): string {
  if (/^[A-Za-z0-9]$/.test(character)) return character
  const code = character.codePointAt(0)!
  const forms = [escapePattern(character), percentPattern(character), htmlPattern(code, character)]
  const units = character.split("").map((unit) => unit.charCodeAt(0).toString(16).padStart(4, "0"))
  forms.push(units.map((unit) => String.raw`\\u${anyCase(unit)}`).join(""))
  const short = jsonEscapes[character]
  if (short !== undefined) forms.push(escapePattern(short))
  if (character === " ") forms.push(String.raw`\+`)
  return `(?:${forms.join("|")})`
}

const jsonEscapes: Readonly<Record<string, string>> = {
  __proto__: null!,
  '"': String.raw`\"`,
  "\\": "\\\\",
  "/": String.raw`\/`,
  "\b": String.raw`\b`,
  "\f": String.raw`\f`,
  "\n": String.raw`\n`,
  "\r": String.raw`\r`,
  "\t": String.raw`\t`,
}

const htmlNames: Readonly<Record<string, string>> = {
  __proto__: null!,
  "&": "amp",
  "<": "lt",
  ">": "gt",
  '"': "quot",
  "'": "apos",
}

function htmlPattern(code: number, character: string): string {
  const name = htmlNames[character]
  const named = name === undefined ? "" : `|${name}`
  return `&(?:#0*${code}|#[xX]0*${anyCase(code.toString(16))}${named});`
}

const percentPattern = (character: string): string =>
  [...new TextEncoder().encode(character)]
    .map((byte) => `%${anyCase(byte.toString(16).padStart(2, "0"))}`)
    .join("")

const anyCase = (hex: string): string =>
  hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)

const toWellFormed = (text: string): string => new TextDecoder().decode(new TextEncoder().encode(text))

/** Percent-encoding of everything but RFC 3986's unreserved characters. */
const encodePercent = (text: string): string =>
  encodeURIComponent(toWellFormed(text)).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/**
 * Base64 text for each of the three ways in which a secret can lie on the 3-byte groups of RFC 4648; that also finds it
 * inside a `Basic` pair. Characters at both ends that the secret decides in part alone are masked too.
 */
function* base64Patterns(secret: string): Generator<string> {
  const bytes = new TextEncoder().encode(secret)
  for (let before = 0; before < 3; before++) {
    const padded = String.fromCharCode(...new Uint8Array(before), ...bytes)
    const bits = (before + bytes.length) * 8
    const form = btoa(padded).slice(Math.ceil((before * 8) / 6), Math.floor(bits / 6))
    if (form.length < ANYWHERE_FROM) continue
    const core = escapePattern(form).replaceAll("\\+", "(?:[-+]|%2[bB])").replaceAll("\\/", "(?:[/_]|%2[fF])")
    yield `${before === 0 ? "" : base64Digit}${core}${bits % 6 === 0 ? "" : `${base64Digit}?={0,2}`}`
  }
}

const base64Digit = "[A-Za-z0-9+/_-]"
