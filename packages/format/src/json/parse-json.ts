// Parses JSON strictly by RFC 8259. Duplicate keys are errors, big integers keep their digits, and nesting has no limit.

import { attempt } from "../attempt.ts"
import { messages } from "../messages.ts"
import type { Finding } from "../problems.ts"
import { conflictMarkerAt } from "../text/conflict-marker.ts"
import { formatPath } from "../workflow/path.ts"
import { numberValue, type Scanned, scanNumber, scanString, skipBlanks } from "./scan.ts"
import { type JsonValue, setOwn, ownOf } from "./value.ts"
import { stringEnd } from "./members.ts"

export interface SyntaxFinding extends Finding<"json-syntax" | "field-value" | "file-conflict"> {
  /** The offset in UTF-16 code units from the start of the text. */
  readonly offset: number
}

export type ParsedJson =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly findings: readonly SyntaxFinding[] }

type Open = { readonly array: JsonValue[] } | { readonly object: Record<string, JsonValue>; key: string }

/**
 * Parses JSON without a byte order mark. Returns the value or all findings. If duplicate keys are allowed, the last
 * value wins, as in other JSON parsers.
 */
export function parseJson(text: string, { allowDuplicateKeys = false } = {}): ParsedJson {
  const native = parseNative(text, allowDuplicateKeys)
  if (native !== undefined) return { ok: true, value: native.value }
  const parsed = new JsonParser(text, allowDuplicateKeys).parse()
  const conflict = parsed.ok ? undefined : conflictMarkerAt(text)
  if (conflict === undefined) return parsed
  return broken([{ ...messages["file-conflict"].conflictMarkers(), offset: conflict }])
}

const syntax = messages["json-syntax"]

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
    if (this.#at >= this.#text.length) this.#fail(syntax.emptyFile())
    while (done === undefined) {
      const value = this.#valueOrOpen()
      if (value !== undefined) done = this.#close(value)
    }
    this.#skip()
    if (this.#at < this.#text.length) this.#fail(syntax.trailingText())
    return done
  }

  /** Reads a scalar or an empty container. Opens any other container without reading its content. */
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
        if (this.#text[this.#at] === closer) this.#fail(syntax.trailingComma(closer))
        if (!("array" in top)) top.key = this.#key(top.object)
        return undefined
      }
      if (char !== closer) this.#fail(syntax.expectedComma(closer, char))
      this.#at++
      this.#open.pop()
      value = "array" in top ? top.array : top.object
    }
  }

  #key(object: Record<string, JsonValue>): string {
    const start = this.#at
    const char = this.#text[start]
    if (char !== '"') this.#fail(syntax.expectedKey(char))
    const key = this.#string()
    if (!this.#allowDuplicateKeys && Object.hasOwn(object, key)) {
      this.#note({ ...syntax.duplicateKey(key), offset: start })
    }
    this.#skip()
    if (this.#text[this.#at] !== ":") this.#fail(syntax.expectedColon(this.#text[this.#at]))
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
    const [word] = /^(?:true|false|null)(?![A-Za-z0-9_])/.exec(text.slice(start, start + 6)) ?? []
    if (word === undefined) return this.#fail(syntax.expectedValue(text[start]))
    this.#at += word.length
    return JSON.parse(word) as JsonValue
  }

  #number(start: number): JsonValue {
    const end = this.#scanned(scanNumber(this.#text, start))
    const digits = this.#text.slice(start, end)
    const value = numberValue(digits)
    this.#at = end
    if (value !== undefined) return value
    this.#note({ ...messages["field-value"].largeNumber(this.#place()), offset: start })
    return 0
  }

  #place(): string {
    const path = this.#open.slice(-6).map((open) => ("array" in open ? open.array.length : open.key))
    return path.length === 0 ? "" : `${this.#open.length > path.length ? "…" : ""}${formatPath(path)}`
  }

  #scanned(scanned: Scanned): number {
    if ("end" in scanned) return scanned.end
    this.#at = scanned.at
    return this.#fail(syntax[scanned.error]())
  }

  #skip(): void {
    this.#at = skipBlanks(this.#text, this.#at)
  }

  /** Records a finding, so that reading can continue. Stops recording at a limit. */
  #note(finding: SyntaxFinding): void {
    if (this.#findings.length >= MAX_FINDINGS) throw new SyntaxProblem(finding)
    this.#findings.push(finding)
  }

  #fail(finding: Finding<"json-syntax">): never {
    const offset = Math.min(this.#at, this.#text.length)
    throw new SyntaxProblem({ ...finding, hint: finding.hint ?? hintAt(this.#text, offset), offset })
  }
}

const MAX_FINDINGS = 100

function hintAt(text: string, at: number): string | undefined {
  if (text.slice(0, at).trim() === "") {
    const other = otherFormat(text)
    if (other !== undefined) return other
  }
  const rest = text.slice(at, at + 10)
  if (/^\/[/*]/.test(rest)) return "JSON does not allow comments"
  if (rest.startsWith("\0")) return "the file contains a NUL byte"
  if (rest.startsWith("'")) return "put strings in double quotes"
  if (/^[“”„‟«»‘’‚]/u.test(rest)) return 'replace typographic quotes by straight ones (")'
  return /^(?:True|False|None|undefined|NaN|Infinity)\b/.test(rest)
    ? "JSON has only true, false and null"
    : undefined
}

/** Recognizes a file that was never JSON, by its first characters. */
function otherFormat(text: string): string | undefined {
  const start = text.slice(0, 2_000).trimStart()
  if (/^<!doctype html|^<html/i.test(start))
    return "the file is a web page: download the file itself, not the page that shows it"
  if (start.startsWith("<")) return "the file is XML or HTML"
  if (/^(?:---\s|[A-Za-z$][\w$-]*:(?:\s|$))/.test(start))
    return "the file looks like YAML: only OpenAPI documents can be YAML, with the extension .yaml"
  return start.startsWith("PK\u0003\u0004") ? "the file is a ZIP archive" : undefined
}

// Matches numbers that a double would round (16 digits and more) or can't represent (three-digit exponents). A match
// inside a string costs only time, because callsheet's own parser then reads the text.
const delicateNumber = /(?:^|[[:,\s])-?[0-9](?:[0-9]{15}[0-9.eE+-]*|[0-9.]*[eE]\+?[0-9]{3,})(?=[\s,\]}]|$)/

/** Parses with `JSON.parse`. Returns undefined for malformed text, delicate numbers and duplicate keys. */
export function parseNative(text: string, allowDuplicateKeys: boolean): { value: JsonValue } | undefined {
  if (delicateNumber.test(text)) return undefined
  const value = attempt(() => JSON.parse(text) as JsonValue)
  if (value === undefined) return undefined
  return allowDuplicateKeys || countKeys(value) === countKeysOfText(text) ? { value } : undefined
}

function countKeys(value: JsonValue): number {
  let count = 0
  const work: JsonValue[] = [value]
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    if (typeof item !== "object" || item === null) continue
    if (Array.isArray(item)) {
      for (const inner of item as readonly JsonValue[]) if (typeof inner === "object") work.push(inner)
      continue
    }
    const object = item as Readonly<Record<string, JsonValue>>
    for (const key of Object.keys(object)) {
      count++
      const inner = ownOf(object, key)!
      if (typeof inner === "object") work.push(inner)
    }
  }
  return count
}

function countKeysOfText(text: string): number {
  let count = 0
  for (let open = text.indexOf('"'); open !== -1;) {
    const next = skipBlanks(text, stringEnd(text, open))
    if (text[next] === ":") count++
    open = text.indexOf('"', next)
  }
  return count
}
