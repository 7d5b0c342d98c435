// Secrets -> `***`, in every form in which they travel. Events are masked as they are made; nothing unmasked leaves the engine.

import { isJsonArray, type JsonValue } from "@callsheet/format"

export const MASK = "***"

export interface Masker {
  /** Masks a text that comes from outside: a message, a header, a log line. */
  readonly text: (text: string) => string
  /** A copy of a value with secrets masked and integers beyond 2^53 written out as text. */
  readonly value: (value: JsonValue) => JsonValue
  /** Whether a secret of 4 or more characters occurs in the text, in any form. */
  readonly occursIn: (text: string) => boolean
}

type SecretValue = string | number | bigint | boolean

/** Text of this length is masked wherever it occurs; shorter text, numbers and booleans only as whole values. */
const ANYWHERE_FROM = 4

export function createMasker(secrets: Iterable<SecretValue>): Masker {
  const whole = new Set<string>()
  const forms = new Set<string>()
  for (const secret of secrets) {
    if (secret === "") continue
    whole.add(String(secret))
    if (typeof secret !== "string" || secret.length < ANYWHERE_FROM) continue
    for (const form of formsOf(secret)) forms.add(form)
  }
  if (whole.size === 0)
    return { text: (text) => text, value: (value) => copy(value, idle), occursIn: () => false }
  // Longest first: where one secret is part of another, no tail of the longer one may stay.
  const longestFirst = [...forms].sort((a, b) => b.length - a.length)
  const pattern =
    longestFirst.length === 0 ? undefined : new RegExp(longestFirst.map(escapePattern).join("|"), "g")
  const text = (from: string): string => {
    if (whole.has(from)) return MASK
    return pattern === undefined ? from : from.replace(pattern, MASK)
  }
  return {
    text,
    value: (value) => copy(value, { text, isWholeSecret: (scalar) => whole.has(String(scalar)) }),
    occursIn: (from) => pattern !== undefined && from.search(pattern) !== -1,
  }
}

interface Rules {
  readonly text: (text: string) => string
  readonly isWholeSecret: (scalar: number | bigint | boolean) => boolean
}

const idle: Rules = { text: (text) => text, isWholeSecret: () => false }

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
        Object.defineProperty(to, rules.text(key), {
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

/** The forms in which a secret of 4 or more characters may travel. */
function formsOf(secret: string): Set<string> {
  const forms = new Set([secret])
  const json = JSON.stringify(secret).slice(1, -1)
  forms.add(json)
  // What JSON writers of other languages do: escape everything beyond ASCII, and the slash.
  const ascii = json.replaceAll(
    /[\u0080-\uffff]/g,
    (char) => String.raw`\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
  forms.add(ascii)
  forms.add(json.replaceAll("/", String.raw`\/`))
  const percent = encodePercent(secret)
  for (const form of [
    percent,
    percent.replaceAll("%20", "+"),
    encodeURI(toWellFormed(secret)),
    new URLSearchParams([["", secret]]).toString().slice(1),
  ]) {
    forms.add(form)
    forms.add(form.replaceAll(/%[0-9A-F]{2}/g, (triplet) => triplet.toLowerCase()))
  }
  forms.add(
    secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
  )
  for (const form of base64Forms(secret)) forms.add(form)
  return forms
}

const toWellFormed = (text: string): string => new TextDecoder().decode(new TextEncoder().encode(text))

/** Percent-encoding of everything but RFC 3986's unreserved characters. */
const encodePercent = (text: string): string =>
  encodeURIComponent(toWellFormed(text)).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/**
 * The part of base64 text that a secret alone decides, for each of the three ways in which it can lie on the 3-byte
 * groups of RFC 4648; that also finds it inside a `Basic` pair.
 */
function* base64Forms(secret: string): Generator<string> {
  const bytes = new TextEncoder().encode(secret)
  for (let before = 0; before < 3; before++) {
    const padded = String.fromCharCode(...new Uint8Array(before), ...bytes)
    const from = Math.ceil((before * 8) / 6)
    const to = Math.floor(((before + bytes.length) * 8) / 6)
    const form = btoa(padded).slice(from, to)
    if (form.length < ANYWHERE_FROM) continue
    yield form
    yield form.replaceAll("+", "-").replaceAll("/", "_")
  }
}
