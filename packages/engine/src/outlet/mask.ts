// Replaces secrets with `***`, in any encoding. Events are masked on creation, so unmasked text never leaves the
// engine.

import { createMaskedKeys, isJsonArray, setOwn, urlCredentials, type JsonValue } from "@callsheet/format"
import { createSecretFinder, replaceRanges } from "./mask/find-secrets.ts"

export const MASK = "***"

export interface Masker {
  /** Masks text from outside: a message, a header, a log line. */
  readonly text: (text: string) => string
  /** Masks secrets in a value and writes integers beyond 2^53 as text. Returns a value that has neither unchanged. */
  readonly value: (value: JsonValue) => JsonValue
  /** Masks the name of a header or member. A short secret is never masked as a whole name. */
  readonly name: (text: string) => string
  /** Masks a URL. Compares each path segment and each query value with short secrets. */
  readonly url: (text: string) => string
  /** Masks the text of a form or a multipart body. Compares each form value and each line with short secrets. */
  readonly body: (text: string) => string
  /**
   * Masks a header with cookies or credentials. Compares each cookie value, and the text after a scheme, with short
   * secrets.
   */
  readonly header: (text: string) => string
  /** Returns whether the string is a secret, or contains one of 4 or more characters, in any encoding. */
  readonly occursIn: (text: string) => boolean
  /** Returns whether the value is empty or already a secret. */
  readonly knows: (secret: SecretValue) => boolean
  readonly learn: (secret: SecretValue) => void
}

export type SecretValue = string | number | bigint | boolean

/**
 * Secrets of at least this length are masked anywhere. Shorter secrets, numbers and booleans are masked only as whole
 * values.
 */
export const ANYWHERE_FROM = 4

const MAX_REMEMBERED = 1000
const MAX_REMEMBERED_CHARACTERS = 256

export function createMasker(secrets: Iterable<SecretValue>): Masker {
  const values = new Set<SecretValue>()
  const whole = new Set<string>()
  const finder = createSecretFinder()
  let hasShort = false
  const forgets: (() => unknown)[] = []
  /** Caches results, because most strings of a run repeat: ids, paths, messages. */
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
  // Whole values need this second search only for short secrets, which the first one doesn't find.
  const valuesOf = (values: RegExp) => (from: string) =>
    name(hasShort ? from.replace(values, (value) => (whole.has(value) ? MASK : value)) : from)
  const credentials = remembering(valuesOf(credentialValues))
  const urls = remembering(valuesOf(urlValues))
  const lines = valuesOf(wholeLines)
  const occurs = remembering(finder.occursIn)
  const rules: Rules = { text, name, isWholeSecret: (scalar) => whole.size > 0 && whole.has(String(scalar)) }
  for (const secret of secrets) learn(secret)
  return {
    text,
    name,
    knows,
    learn,
    url: (from) => (values.size === 0 ? from : urls(from)),
    body: (from) => (values.size === 0 ? from : urls(lines(from))),
    header: (from) => (whole.has(from) ? MASK : credentials(from)),
    value: (value) => mask(value, rules),
    occursIn: (from) => values.size > 0 && (whole.has(from) || occurs(from)),
  }
}

/** The minimum length of a line to mask on its own. Shorter lines of a secret, such as `}`, are too common. */
const MIN_LINE_LENGTH = 8

/**
 * Returns the parts that are as secret as the whole: the lines of a multi-line secret, and the parts of a URL that
 * requests use.
 */
function partsOf(secret: string): readonly string[] {
  const parts = /[\r\n]/.test(secret)
    ? secret.split(/[\r\n]+/).filter((line) => line.trim().length >= MIN_LINE_LENGTH)
    : []
  // HTTP removes whitespace at both ends of a header.
  const trimmed = secret.trim()
  if (trimmed !== secret && trimmed.length >= ANYWHERE_FROM) parts.push(trimmed)
  return [...parts, ...urlParts(secret)]
}

/**
 * Returns the parts into which a request divides a secret URL. A request inserts its path before the query, sends the
 * user and password in a header, and lowercases the host. Long query values are secrets too, because a server may
 * repeat them.
 */
function urlParts(secret: string): readonly string[] {
  if (!secret.includes("://")) return []
  const [, scheme = "", user = "", host, port = "", path = "", query = ""] =
    /^([a-z][a-z0-9+.-]*:\/\/)([^/?#\s]*@)?([^/?#@:\s]*)(:\d*)?([^?#\s]*)(\?[^#\s]*)?/i.exec(secret) ?? []
  if (host === undefined) return []
  const own = path.replace(/\/+$/, "")
  const base = scheme + host + port
  // A request shows the origin as `URL` formats it. Only http and https URLs have one.
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

/** Returns whether masking leaves a value as it is. Most values stay, so this saves their copies. */
function isPublic(value: JsonValue, rules: Rules): boolean {
  const work: JsonValue[] = [value]
  for (let from = work.pop(); from !== undefined; from = work.pop()) {
    if (typeof from !== "object" || from === null) {
      if (scalar(from, rules) !== from) return false
    } else if (isJsonArray(from)) {
      // A large array of scalars must not be copied.
      for (const child of from)
        if (typeof child === "object") work.push(child)
        else if (scalar(child, rules) !== child) return false
    } else {
      for (const key of Object.keys(from)) {
        if (rules.name(key) !== key) return false
        work.push(from[key]!) // own key
      }
    }
  }
  return true
}

// Iterative, because a response may nest deeper than the stack.
function mask(value: JsonValue, rules: Rules): JsonValue {
  if (typeof value !== "object" || value === null) return scalar(value, rules)
  if (isPublic(value, rules)) return value
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
  return rules.isWholeSecret(value) ? MASK : value
}

/**
 * Yields the strings that equal the secret as a whole value: the secret, its percent-encoding, and the base64 of both.
 */
function* wholeForms(secret: string): Generator<string> {
  const usual = encodeURIComponent(Buffer.from(secret).toString())
  const strict = usual.replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
  for (const text of [secret, usual, strict, strict.replaceAll("%20", "+")]) {
    yield text
    yield Buffer.from(text).toString("base64")
  }
}
