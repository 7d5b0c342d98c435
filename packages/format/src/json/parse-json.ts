// JSON text -> value, strictly by RFC 8259. Duplicate keys are errors, big integers keep their digits, nesting has no bound.

import { conflictMarkerAt, conflictMessage } from "../text/conflict-marker.ts"
import { formatPath } from "../workflow/path.ts"
import { parseNative } from "./parse-native.ts"
import { numberValue, scanNumber, scanString, skipBlanks, type Scanned } from "./scan.ts"
import { setOwn, type JsonValue } from "./value.ts"

export interface SyntaxFinding {
  readonly code: "json-syntax" | "field-value" | "file-conflict"
  /** In UTF-16 code units from the start of the text. */
  readonly offset: number
  readonly message: string
  readonly hint?: string | undefined
}

export type ParsedJson =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly findings: readonly SyntaxFinding[] }

type Open = { readonly array: JsonValue[] } | { readonly object: Record<string, JsonValue>; key: string }

interface ParseOptions {
  /** A key that stands twice in an object is no error, and the last one wins: how other parsers read what a server sends. */
  readonly allowDuplicateKeys?: boolean
}

/** Parses a whole text, without a byte order mark, and gives its value or everything that is wrong with it. */
export function parseJson(text: string, { allowDuplicateKeys = false }: ParseOptions = {}): ParsedJson {
  const native = parseNative(text, allowDuplicateKeys)
  if (native !== undefined) return { ok: true, value: native.value }
  const parsed = new JsonParser(text, allowDuplicateKeys).parse()
  const conflict = parsed.ok ? undefined : conflictMarkerAt(text)
  if (conflict === undefined) return parsed
  return broken([{ code: "file-conflict", offset: conflict, message: conflictMessage }])
}

const broken = (findings: readonly SyntaxFinding[]): ParsedJson => ({ ok: false, findings })

class SyntaxProblem extends Error {
  readonly finding: SyntaxFinding
  constructor(finding: SyntaxFinding) {
    super(finding.message)
    this.finding = finding
  }
}

class JsonParser {
  readonly #text: string
  readonly #allowDuplicateKeys: boolean
  readonly #findings: SyntaxFinding[] = []
  readonly #open: Open[] = []
  #at = 0

  constructor(text: string, allowDuplicateKeys: boolean) {
    this.#text = text
    this.#allowDuplicateKeys = allowDuplicateKeys
  }

  parse(): ParsedJson {
    try {
      const value = this.#document()
      return this.#findings.length === 0 ? { ok: true, value } : broken(this.#findings)
    } catch (error) {
      if (error instanceof SyntaxProblem) return broken([...this.#findings, error.finding])
      throw error
    }
  }

  #document(): JsonValue {
    let done: JsonValue | undefined
    this.#skip()
    if (this.#at >= this.#text.length) this.#fail("the file is empty; expected a JSON value")
    while (done === undefined) {
      const value = this.#valueOrOpen()
      if (value !== undefined) done = this.#close(value)
    }
    this.#skip()
    if (this.#at < this.#text.length) this.#fail("there is more after the end of the JSON value")
    return done
  }

  /** Reads a scalar or an empty container; opens a container that has content and reads nothing of it. */
  #valueOrOpen(): JsonValue | undefined {
    const text = this.#text
    const char = text[this.#at]
    if (char === '"') return this.#string()
    if (char === "{") {
      this.#at++
      this.#skip()
      if (text[this.#at] === "}") return this.#end({})
      this.#open.push({ object: {}, key: this.#key({}) })
      return undefined
    }
    if (char === "[") {
      this.#at++
      this.#skip()
      if (text[this.#at] === "]") return this.#end([])
      this.#open.push({ array: [] })
      return undefined
    }
    return this.#literal()
  }

  #end<V>(value: V): V {
    this.#at++
    return value
  }

  #close(whole: JsonValue): JsonValue | undefined {
    let value = whole
    for (;;) {
      const top = this.#open.at(-1)
      if (top === undefined) return value
      if ("array" in top) top.array.push(value)
      else setOwn(top.object, top.key, value)
      this.#skip()
      const closer = "array" in top ? "]" : "}"
      const char = this.#text[this.#at]
      if (char === ",") {
        this.#at++
        this.#skip()
        if (this.#text[this.#at] === closer) this.#fail(`a comma before "${closer}"`, "remove the comma")
        if (!("array" in top)) top.key = this.#key(top.object)
        return undefined
      }
      if (char !== closer) {
        this.#fail(
          `expected "," or "${closer}"${found(char)}`,
          char === '"' ? "is a comma missing?" : undefined,
        )
      }
      this.#at++
      this.#open.pop()
      value = "array" in top ? top.array : top.object
    }
  }

  #key(object: Record<string, JsonValue>): string {
    const start = this.#at
    const char = this.#text[start]
    if (char !== '"') {
      const quoted = char === "'" || /[A-Za-z_$]/.test(char ?? "")
      this.#fail(
        `expected a key in double quotes${found(char)}`,
        quoted ? "keys stand in double quotes" : undefined,
      )
    }
    const key = this.#string()
    if (!this.#allowDuplicateKeys && Object.hasOwn(object, key)) {
      this.#note({
        code: "json-syntax",
        offset: start,
        message: `the key ${JSON.stringify(key)} stands here twice`,
      })
    }
    this.#skip()
    if (this.#text[this.#at] !== ":") this.#fail(`expected ":" after the key${found(this.#text[this.#at])}`)
    this.#at++
    this.#skip()
    return key
  }

  #string(): string {
    const start = this.#at
    const end = this.#scanned(scanString(this.#text, start))
    const raw = this.#text.slice(start + 1, end - 1)
    this.#at = end
    return raw.includes("\\") ? (JSON.parse(`"${raw}"`) as string) : raw
  }

  #literal(): JsonValue {
    const text = this.#text
    const start = this.#at
    const char = text[start] ?? ""
    if (char === "-" || (char >= "0" && char <= "9")) return this.#number(start)
    for (const [word, value] of literals) {
      if (text.startsWith(word, start) && !/[A-Za-z0-9_]/.test(text[start + word.length] ?? "")) {
        this.#at += word.length
        return value
      }
    }
    return this.#fail(`expected a JSON value${found(char === "" ? undefined : char)}`)
  }

  #number(start: number): JsonValue {
    const end = this.#scanned(scanNumber(this.#text, start))
    const digits = this.#text.slice(start, end)
    const value = numberValue(digits)
    this.#at = end
    if (value !== undefined) return value
    this.#note({
      code: "field-value",
      offset: start,
      message: `${this.#place()}the number is too large`,
    })
    return 0
  }

  /** Where the value that is read now stands, for a message: `timeoutMs: `. */
  #place(): string {
    const path = this.#open.slice(-6).map((open) => ("array" in open ? open.array.length : open.key))
    return path.length === 0 ? "" : `${this.#open.length > path.length ? "…" : ""}${formatPath(path)}: `
  }

  #scanned(scanned: Scanned): number {
    if ("end" in scanned) return scanned.end
    this.#at = scanned.at
    return this.#fail(scanned.error)
  }

  #skip(): void {
    this.#at = skipBlanks(this.#text, this.#at)
  }

  /** Notes what is wrong and lets reading go on, but not for ever: a million findings help nobody. */
  #note(finding: SyntaxFinding): void {
    if (this.#findings.length >= MAX_FINDINGS) throw new SyntaxProblem(finding)
    this.#findings.push(finding)
  }

  #fail(message: string, ownHint?: string): never {
    const offset = Math.min(this.#at, this.#text.length)
    throw new SyntaxProblem({
      code: "json-syntax",
      offset,
      message,
      hint: ownHint ?? hintAt(this.#text, offset),
    })
  }
}

const MAX_FINDINGS = 100

const literals: readonly (readonly [string, JsonValue])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
]

// Only the one character: the text around it may be a secret.
const found = (char: string | undefined): string =>
  char === undefined ? ", found the end of the file" : `, found ${JSON.stringify(char)}`

function hintAt(text: string, at: number): string | undefined {
  const rest = text.slice(at, at + 10)
  if (/^\/[/*]/.test(rest)) return "JSON has no comments"
  if (rest.startsWith("\0")) return "the file holds a NUL byte"
  if (rest.startsWith("'")) return "strings stand in double quotes"
  return /^(?:True|False|None|undefined|NaN|Infinity)\b/.test(rest)
    ? "JSON knows true, false and null"
    : undefined
}
