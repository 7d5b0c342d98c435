// Replaces secrets with `***`, however they are encoded. Events are masked when they are created, so nothing unmasked
// leaves the engine.

import { createMaskedKeys, isJsonArray, setOwn, urlCredentials, type JsonValue } from "@callsheet/format"
import { createSecretFinder, replaceRanges } from "./mask/find-secrets.ts"
import { percentForms, utf8 } from "./mask/forms.ts"

export const MASK = "***"

export interface Masker {
  /** Masks text from outside: a message, a header, a log line. */
  readonly text: (text: string) => string
  /** Copies a value with secrets masked and integers beyond 2^53 written as text. */
  readonly value: (value: JsonValue) => JsonValue
  /** Masks the name of a header or member. A short secret is never masked as a whole name. */
  readonly name: (text: string) => string
  /** Masks a URL. Each path segment and each query value is treated as a whole value. */
  readonly url: (text: string) => string
  /** Masks the text of a form or of parts. Each value of a form and each line is treated as a whole value. */
  readonly body: (text: string) => string
  /** Masks a cookie or credentials header. Cookie values and the text after a scheme are treated as whole values. */
  readonly header: (text: string) => string
  /** Returns true if the string is a secret, or contains one of 4 or more characters, in any encoding. */
  readonly occursIn: (text: string) => boolean
  /** Returns true if the value is empty or already a secret. */
  readonly knows: (secret: SecretValue) => boolean
  readonly learn: (secret: SecretValue) => void
}

export type SecretValue = string | number | bigint | boolean

/** Secrets of at least this length are masked anywhere; shorter ones, numbers and booleans only as whole values. */
export const ANYWHERE_FROM = 4

const MAX_REMEMBERED = 1000
const MAX_REMEMBERED_CHARACTERS = 256

export function createMasker(secrets: Iterable<SecretValue>): Masker {
  const values = new Set<SecretValue>()
  const whole = new Set<string>()
  const finder = createSecretFinder()
  let hasShort = false
  const forgets: (() => unknown)[] = []
  /** Caches results, because most strings in a run repeat: ids, paths, messages. */
  const remembering = <T extends string | boolean>(search: (text: string) => T): ((text: string) => T) => {
    const remembered = new Map<string, T>()
    forgets.push(() => remembered.size > 0 && remembered.clear())
    return (text) => {
      if (text.length > MAX_REMEMBERED_CHARACTERS) return search(text)
      let found = remembered.get(text)
      if (found === undefined) {
        found = search(text)
        if (remembered.size === MAX_REMEMBERED) remembered.clear()
        remembered.set(text, found)
      }
      return found
    }
  }
  const knows = (secret: SecretValue): boolean => secret === "" || values.has(secret)
  const learn = (secret: SecretValue): void => {
    if (knows(secret)) return
    values.add(secret)
    whole.add(String(secret))
    for (const forget of forgets) forget()
    if (typeof secret === "string" && secret.length >= ANYWHERE_FROM) {
      for (const part of [secret, ...partsOf(secret)]) finder.add(part)
      return
    }
    hasShort = true
    for (const form of wholeForms(String(secret))) whole.add(form)
  }
  const search = remembering((from) => replaceRanges(from, finder.ranges(from), MASK))
  const name = (from: string): string => (values.size === 0 ? from : search(from))
  const text = (from: string): string => (whole.has(from) ? MASK : name(from))
  // Single values are checked only if a short secret exists, because the other search doesn't find short secrets.
  const valuesOf = (values: RegExp) => (from: string) =>
    name(hasShort ? from.replace(values, (value) => (whole.has(value) ? MASK : value)) : from)
  const credentials = remembering(valuesOf(credentialValues))
  const urls = remembering(valuesOf(urlValues))
  const lines = valuesOf(wholeLines)
  const occurs = remembering(finder.occursIn)
  for (const secret of secrets) learn(secret)
  return {
    text,
    name,
    knows,
    learn,
    url: (from) => (values.size === 0 ? from : urls(from)),
    body: (from) => (values.size === 0 ? from : urls(lines(from))),
    header: (from) => (whole.has(from) ? MASK : credentials(from)),
    value: (value) =>
      copy(value, { text, name, isWholeSecret: (scalar) => whole.size > 0 && whole.has(String(scalar)) }),
    occursIn: (from) => values.size > 0 && (whole.has(from) || occurs(from)),
  }
}

/** The minimum length of a line of a secret that is masked by itself. Shorter lines, such as `}`, are too common. */
const MIN_LINE_LENGTH = 8

/**
 * Returns the parts that are as secret as the whole: the lines of a multi-line secret, and the parts of a URL that a
 * request uses.
 */
function partsOf(secret: string): readonly string[] {
  const parts = /[\r\n]/.test(secret)
    ? secret.split(/[\r\n]+/).filter((line) => line.trim().length >= MIN_LINE_LENGTH)
    : []
  // HTTP strips whitespace from both ends of a header.
  const trimmed = secret.trim()
  if (trimmed !== secret && trimmed.length >= ANYWHERE_FROM) parts.push(trimmed)
  return [...parts, ...urlParts(secret)]
}

/**
 * Returns the parts that a request makes of a secret URL. It inserts paths between the path and the query, sends the
 * user information elsewhere and lowercases the host. Query values are secrets if they are long enough, because a
 * server may repeat them.
 */
function urlParts(secret: string): readonly string[] {
  if (!secret.includes("://")) return []
  const [, scheme = "", user = "", host, port = "", path = "", query = ""] =
    /^([a-z][a-z0-9+.-]*:\/\/)([^/?#\s]*@)?([^/?#@:\s]*)(:\d*)?([^?#\s]*)(\?[^#\s]*)?/i.exec(secret) ?? []
  if (host === undefined) return []
  const own = path.replace(/\/+$/, "")
  const base = scheme + host + port
  // A request shows the origin as `URL` writes it. Only http and https URLs have an origin.
  const origin = /^http/i.test(scheme) && URL.canParse(base) ? new URL(base).origin : base
  const values = [...new URLSearchParams(query).values(), ...query.split(/[&=]/), own]
  return [
    ...urlCredentials(scheme + user + host),
    host,
    host.toLowerCase(),
    base + own,
    origin + own,
    query.length > ANYWHERE_FROM ? query.slice(1) : query,
    ...values.filter(({ length }) => length >= MIN_LINE_LENGTH),
  ].filter(({ length }) => length >= ANYWHERE_FROM)
}

const urlValues = /(?<=[/=])[^/?&#=]+/g
const wholeLines = /^[^\r\n]+$/gm
const credentialValues = /(?<=[=\s])[^\s;,=]+/g

interface Rules {
  readonly text: (text: string) => string
  readonly name: (text: string) => string
  readonly isWholeSecret: (scalar: number | bigint | boolean) => boolean
}

// Iterative, because a response may be nested more deeply than the stack allows.
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
      const shown = createMaskedKeys(from, rules.name)
      for (const [key, child] of Object.entries(from as Record<string, JsonValue>)) {
        setOwn(to as Record<string, JsonValue>, shown(key), inner(child))
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

/** Yields the strings that equal the secret as a whole value: as is, percent-encoded, and the base64 of both. */
function* wholeForms(secret: string): Generator<string> {
  for (const text of [secret, ...percentForms(secret)]) {
    yield text
    yield btoa(utf8(text))
  }
}
