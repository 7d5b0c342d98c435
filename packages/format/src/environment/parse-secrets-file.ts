// Secrets file: dotenv text -> assignments with their places. Reads exactly the dialect of the `dotenv` package; linear.

import type { Finding } from "../source.ts"
import { conflictMarkerAt, conflictMessage } from "../text/conflict-marker.ts"
import { createLineFinder } from "../text/line-column.ts"

/** One assignment. Offsets count UTF-16 code units from the start of the text. */
export interface SecretsEntry {
  readonly name: string
  /** What the dialect reads: without quotes, `\n` in double quotes expanded, line ends as LF. */
  readonly value: string
  /** 1-based line of the name. */
  readonly line: number
  readonly quote: Quote | undefined
  /** Of the assignment's first character: of `export` or the name. */
  readonly start: number
  readonly nameStart: number
  /** Of the value as it is written, quotes included; an empty value starts and ends behind the separator. */
  readonly valueStart: number
  readonly valueEnd: number
  /** Of the end of the line on which the value ends, a comment included and the line break not. */
  readonly end: number
}

export type Quote = "'" | '"' | "`"

/** Something wrong in a secrets file. No message quotes the file's text, which may be a secret. */
export interface SecretsFinding extends Finding {
  readonly code: "dotenv-syntax" | "file-conflict"
  readonly offset: number
}

export interface ParsedSecretsFile {
  /** In the order of the file; of several with one name the last one counts. */
  readonly entries: readonly SecretsEntry[]
  readonly findings: readonly SecretsFinding[]
}

/**
 * Reads a whole file without its byte order mark. A file with conflict markers has no entries: neither side is meant.
 *
 *     parseSecretsFile("apiKey='s3cret' # theirs\n").entries[0]   // { name: "apiKey", value: "s3cret", line: 1, … }
 */
export function parseSecretsFile(text: string): ParsedSecretsFile {
  const conflict = conflictMarkerAt(text)
  if (conflict !== undefined) {
    return { entries: [], findings: [{ code: "file-conflict", offset: conflict, message: conflictMessage }] }
  }
  return new SecretsReader(text).read()
}

interface Name {
  readonly start: number
  readonly nameStart: number
  readonly nameEnd: number
  /** Behind the separator. */
  readonly valueFrom: number
}

interface Value {
  readonly value: string
  readonly quote: Quote | undefined
  readonly start: number
  readonly end: number
  /** Where reading goes on: behind the value and the blanks and comment on its line. */
  readonly next: number
}

class SecretsReader {
  readonly #text: string
  readonly #entries: SecretsEntry[] = []
  readonly #findings: SecretsFinding[] = []
  readonly #lineAt: (offset: number) => number
  /** First and last line of the lines without an assignment that were just passed. */
  #stray: { readonly offset: number; readonly first: number; last: number } | undefined

  constructor(text: string) {
    this.#text = text
    const find = createLineFinder(text)
    this.#lineAt = (offset) => find(offset).line
  }

  read(): ParsedSecretsFile {
    const text = this.#text
    let at = 0
    while (at < text.length) {
      at = skipSpaces(text, at)
      if (at >= text.length) break
      if (text[at] === "#") at = lineEnd(text, at)
      else {
        const name = readName(text, at)
        if (name === undefined) {
          this.#passStrayLine(at)
          at = lineEnd(text, at)
        } else {
          this.#reportStrayLines()
          const value = readValue(text, name.valueFrom)
          this.#add(name, value)
          at = value.next
        }
      }
    }
    this.#reportStrayLines()
    return { entries: this.#entries, findings: this.#findings }
  }

  #add(name: Name, value: Value): void {
    const text = this.#text
    const line = this.#lineAt(name.nameStart)
    this.#entries.push({
      name: text.slice(name.nameStart, name.nameEnd),
      value: value.value,
      line,
      quote: value.quote,
      start: name.start,
      nameStart: name.nameStart,
      valueStart: value.start,
      valueEnd: value.end,
      end: value.next,
    })
    const finding = this.#objectTo(name, value)
    if (finding !== undefined) this.#findings.push({ code: "dotenv-syntax", ...finding })
  }

  /** What the dialect accepts though it is hardly what was meant. */
  #objectTo(name: Name, value: Value): Omit<SecretsFinding, "code"> | undefined {
    const text = this.#text
    if (this.#lineAt(name.nameEnd) !== this.#lineAt(value.start)) {
      return { offset: name.nameStart, message: "the name and its value stand on different lines" }
    }
    const raw = text.slice(name.valueFrom, value.end).trimStart()
    if (raw.includes("\0")) return { offset: value.start, message: "the value holds a NUL character" }
    if (value.quote !== undefined) return undefined
    if (/[\u2028\u2029]/.test(text.slice(name.valueFrom, value.end))) {
      return {
        offset: value.start,
        message: "the value holds a line separator (U+2028 or U+2029)",
        hint: "put it in quotes",
      }
    }
    if (isQuote(raw[0]) && (raw.length < 2 || raw.at(-1) !== raw[0])) {
      return {
        offset: value.start,
        severity: "warning",
        message: "the quote at the start of the value is not closed; it is read as part of the value",
      }
    }
    // `name=abc#def` is `abc`: the dialect's rule, and a trap for passwords.
    if (text[value.end] === "#") {
      return {
        offset: value.end,
        severity: "warning",
        message: `"#" starts a comment here and cuts the value short`,
        hint: "put the value in quotes if the # belongs to it, or a blank before the # if it does not",
      }
    }
    return undefined
  }

  #passStrayLine(at: number): void {
    const line = this.#lineAt(at)
    if (this.#stray !== undefined && this.#stray.last >= line - 1) this.#stray.last = line
    else {
      this.#reportStrayLines()
      this.#stray = { offset: at, first: line, last: line }
    }
  }

  // Lines in a row are one finding: the rest of an unquoted certificate is one mistake, not fifty.
  #reportStrayLines(): void {
    if (this.#stray === undefined) return
    const { offset, first, last } = this.#stray
    this.#stray = undefined
    const what =
      first === last ? "this line is no assignment" : `the lines ${first} to ${last} are no assignments`
    this.#findings.push({ code: "dotenv-syntax", offset, message: what, hint: strayHint(this.#text, offset) })
  }
}

function strayHint(text: string, at: number): string {
  if (text[at] === "=") return "a name is missing before the ="
  return `write name="value"; a value of several lines stands in quotes`
}

/** The name at `at`, with `export` before it or not, and its separator; undefined where there is none. */
function readName(text: string, at: number): Name | undefined {
  const exported = /export\s+/y
  exported.lastIndex = at
  const nameStart = exported.test(text) ? exported.lastIndex : at
  return nameAt(text, at, nameStart) ?? (nameStart === at ? undefined : nameAt(text, at, at))
}

function nameAt(text: string, start: number, nameStart: number): Name | undefined {
  let nameEnd = nameStart
  while (isNameUnit(text.charCodeAt(nameEnd))) nameEnd++
  if (nameEnd === nameStart) return undefined
  const equals = skipSpaces(text, nameEnd)
  if (text[equals] === "=") return { start, nameStart, nameEnd, valueFrom: equals + 1 }
  if (text[nameEnd] === ":" && isSpace(text.charCodeAt(nameEnd + 1))) {
    // A CRLF is one line break, as in a text whose line ends are LF.
    const wide = text[nameEnd + 1] === "\r" && text[nameEnd + 2] === "\n" ? 3 : 2
    return { start, nameStart, nameEnd, valueFrom: nameEnd + wide }
  }
  return undefined
}

function readValue(text: string, from: number): Value {
  const open = skipSpaces(text, from)
  const quote = text[open]
  return (isQuote(quote) ? readQuoted(text, open, quote) : undefined) ?? readBare(text, from)
}

/** The quoted value at `open`; undefined where no quote closes it, with nothing but a comment behind. */
function readQuoted(text: string, open: number, quote: Quote): Value | undefined {
  let close: number | undefined
  for (let at = text.indexOf(quote, open + 1); at !== -1; at = text.indexOf(quote, at + 1)) {
    if (endsLine(text, at + 1)) close = at
    // A quote behind a backslash may end the value too, but only where no later one does.
    if (text[at - 1] !== "\\") break
  }
  if (close === undefined) return undefined
  const content = text.slice(open + 1, close).replaceAll(/\r\n?/g, "\n")
  return {
    value: quote === '"' ? expand(content) : content,
    quote,
    start: open,
    end: close + 1,
    next: lineEnd(text, close + 1),
  }
}

function readBare(text: string, from: number): Value {
  let end = from
  while (end < text.length && text[end] !== "#" && text[end] !== "\n" && text[end] !== "\r") end++
  const raw = text.slice(from, end)
  const trimmed = raw.trim()
  const start = trimmed === "" ? from : from + raw.indexOf(trimmed)
  const first = trimmed[0]
  // `"a" "b"` is no quoted value, and yet loses its outer quotes.
  const isWrapped = isQuote(first) && trimmed.length > 1 && trimmed.at(-1) === first
  const content = isWrapped ? trimmed.slice(1, -1) : trimmed
  return {
    value: first === '"' ? expand(content) : content,
    quote: undefined,
    start,
    end: start + trimmed.length,
    next: lineEnd(text, end),
  }
}

const expand = (content: string): string =>
  content.replaceAll(String.raw`\n`, "\n").replaceAll(String.raw`\r`, "\r")

const isQuote = (char: string | undefined): char is Quote => char === "'" || char === '"' || char === "`"

/** Whether nothing but blanks and a comment stand between `at` and the end of the line. */
function endsLine(text: string, at: number): boolean {
  let end = at
  while (!isLineBreak(text.charCodeAt(end)) && isSpace(text.charCodeAt(end))) end++
  return end >= text.length || text[end] === "#" || isLineBreak(text.charCodeAt(end))
}

function lineEnd(text: string, from: number): number {
  let at = from
  while (at < text.length && !isLineBreak(text.charCodeAt(at))) at++
  return at
}

function skipSpaces(text: string, from: number): number {
  let at = from
  while (isSpace(text.charCodeAt(at))) at++
  return at
}

const isLineBreak = (unit: number): boolean =>
  unit === 10 || unit === 13 || unit === 0x2028 || unit === 0x2029

// What `\s` matches: the dialect is defined by a regular expression.
const isSpace = (unit: number): boolean =>
  unit === 32 || (unit >= 9 && unit <= 13) || (unit >= 0xa0 && /\s/.test(String.fromCharCode(unit)))

const isNameUnit = (unit: number): boolean =>
  (unit >= 97 && unit <= 122) ||
  (unit >= 65 && unit <= 90) ||
  (unit >= 48 && unit <= 57) ||
  unit === 45 ||
  unit === 46 ||
  unit === 95
