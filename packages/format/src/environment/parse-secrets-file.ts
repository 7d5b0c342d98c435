// Parses a secrets file: exactly the dialect of the `dotenv` package, in linear time.

import type { Finding } from "../problems.ts"
import { messages } from "../messages.ts"
import { conflictMarkerAt } from "../text/conflict-marker.ts"
import { createLineFinder } from "../source.ts"

/** An assignment. Offsets count UTF-16 code units from the start of the text. */
export interface SecretsEntry {
  readonly name: string
  /** The value as `dotenv` reads it: without quotes, with `\n` in double quotes expanded, and with LF line ends. */
  readonly value: string
  /** The 1-based line of the name. */
  readonly line: number
  readonly quote: Quote | undefined
  /** The offset where the assignment starts: at `export` or, without it, at the name. */
  readonly start: number
  readonly nameStart: number
  /** The offset of the value as written, including quotes. An empty value starts and ends after the separator. */
  readonly valueStart: number
  readonly valueEnd: number
  /** The offset of the end of the value's last line, including a comment but not the line break. */
  readonly end: number
}

export type Quote = "'" | '"' | "`"

/** A finding in a secrets file. No message quotes the file's text, which may be a secret. */
export interface SecretsFinding extends Finding<"dotenv-syntax" | "file-conflict"> {
  readonly offset: number
}

export interface ParsedSecretsFile {
  /** The assignments in file order. If several have the same name, the last one takes effect. */
  readonly entries: readonly SecretsEntry[]
  readonly findings: readonly SecretsFinding[]
}

/** Parses text without a byte order mark. Returns no entries for a file with conflict markers, because neither side is final. */
export function parseSecretsFile(text: string): ParsedSecretsFile {
  const conflict = conflictMarkerAt(text)
  if (conflict !== undefined) {
    return { entries: [], findings: [{ ...messages["file-conflict"].conflictMarkers(), offset: conflict }] }
  }
  return readAssignments(text)
}

interface StrayLines {
  readonly offset: number
  readonly first: number
  last: number
}

const syntax = messages["dotenv-syntax"]

function readAssignments(text: string): ParsedSecretsFile {
  const find = createLineFinder(text)
  const lineAt = (offset: number): number => find(offset).line
  const entries: SecretsEntry[] = []
  const findings: SecretsFinding[] = []
  let stray: StrayLines | undefined
  const reportStray = (): void => {
    if (stray !== undefined) findings.push(strayFinding(text, stray))
    stray = undefined
  }
  for (let at = behind(blanks, text, 0); at < text.length; at = behind(blanks, text, at)) {
    const name = text[at] === "#" ? undefined : readName(text, at)
    if (name !== undefined) {
      reportStray()
      const line = lineAt(name.nameStart)
      const value = readValue(text, name.separatorEnd)
      entries.push({ name: name.name, start: at, nameStart: name.nameStart, line, ...value })
      const isSplit = lineAt(name.nameStart + name.name.length) !== lineAt(value.valueStart)
      const finding = isSplit
        ? { ...syntax.split(), offset: name.nameStart }
        : findingFor(text, name.separatorEnd, value)
      if (finding !== undefined) findings.push(finding)
      at = value.end
      continue
    }
    if (text[at] !== "#") {
      const line = lineAt(at)
      if (stray === undefined || stray.last < line - 1) reportStray()
      stray ??= { offset: at, first: line, last: line }
      stray.last = line
    }
    at = behind(restOfLine, text, at)
  }
  reportStray()
  return { entries, findings }
}

// Reports adjacent lines as one finding: the rest of an unquoted certificate is one mistake, not fifty.
function strayFinding(text: string, { offset, first, last }: StrayLines): SecretsFinding {
  const hint = text[offset] === "=" ? "no-name" : "no-assignment"
  return { ...(first === last ? syntax.strayLine(hint) : syntax.strayLines(first, last, hint)), offset }
}

type Value = Pick<SecretsEntry, "value" | "quote" | "valueStart" | "valueEnd" | "end">

/** Warns about text that `dotenv` accepts but that the author probably didn't intend. */
function findingFor(text: string, from: number, value: Value): SecretsFinding | undefined {
  const { quote, valueStart, valueEnd } = value
  const raw = text.slice(from, valueEnd).trimStart()
  if (raw.includes("\0")) return { ...syntax.nulCharacter(), offset: valueStart }
  if (quote !== undefined) return undefined
  if (/[\u2028\u2029]/.test(text.slice(from, valueEnd)))
    return { ...syntax.lineSeparator(), offset: valueStart }
  if (isQuote(raw[0]) && (raw.length < 2 || raw.at(-1) !== raw[0]))
    return { ...syntax.openQuote(), offset: valueStart }
  if (/^\$(?:\{[A-Z_][A-Z0-9_]*\}|[A-Z_][A-Z0-9_]*)$/.test(raw))
    return { ...syntax.notExpanded(), offset: valueStart }
  // `dotenv` reads `name=abc#def` as `abc`, which silently truncates passwords.
  return text[valueEnd] === "#" ? { ...syntax.comment(), offset: valueEnd } : undefined
}

function readName(text: string, at: number) {
  assignment.lastIndex = at
  const [, exported = "", name] = assignment.exec(text) ?? []
  if (name === undefined) return undefined
  return { name, nameStart: at + exported.length, separatorEnd: assignment.lastIndex }
}

function readValue(text: string, from: number): Value {
  const open = behind(blanks, text, from)
  const quote = text[open]
  return (isQuote(quote) ? readQuoted(text, open, quote) : undefined) ?? readBare(text, from)
}

/** Reads the quoted value at `open`. Returns undefined if the closing quote is missing or if text other than a comment follows it. */
function readQuoted(text: string, open: number, quote: Quote): Value | undefined {
  let close: number | undefined
  for (let at = text.indexOf(quote, open + 1); at !== -1; at = text.indexOf(quote, at + 1)) {
    lineRemainder.lastIndex = at + 1
    if (lineRemainder.test(text)) close = at
    // An escaped quote ends the value only if no later quote does.
    if (text[at - 1] !== "\\") break
  }
  if (close === undefined) return undefined
  const content = text.slice(open + 1, close).replaceAll(/\r\n?/g, "\n")
  return {
    value: quote === '"' ? expand(content) : content,
    quote,
    valueStart: open,
    valueEnd: close + 1,
    end: behind(restOfLine, text, close + 1),
  }
}

function readBare(text: string, from: number): Value {
  const rawEnd = behind(bareValue, text, from)
  const raw = text.slice(from, rawEnd)
  const trimmed = raw.trim()
  const valueStart = trimmed === "" ? from : from + raw.indexOf(trimmed)
  const first = trimmed[0]
  // `"a" "b"` is not a quoted value, but `dotenv` strips its outer quotes.
  const isWrapped = isQuote(first) && trimmed.length > 1 && trimmed.at(-1) === first
  const content = isWrapped ? trimmed.slice(1, -1) : trimmed
  return {
    value: first === '"' ? expand(content) : content,
    quote: undefined,
    valueStart,
    valueEnd: valueStart + trimmed.length,
    end: behind(restOfLine, text, rawEnd),
  }
}

const expand = (content: string): string =>
  content.replaceAll(String.raw`\n`, "\n").replaceAll(String.raw`\r`, "\r")

const isQuote = (char: string | undefined): char is Quote => char === "'" || char === '"' || char === "`"

// Together, these patterns match the regular expression that defines the dialect of `dotenv`, but in linear time.
const blanks = /\s*/y
// Treats a CRLF as one line break.
const assignment = /(export\s+)?([\w.-]+)(?:\s*=|:(?:\r\n|\s))/y
const bareValue = /[^#\n\r]*/y
const restOfLine = /[^\n\r\u2028\u2029]*/y
const lineRemainder = /[^\S\n\r\u2028\u2029]*(?:#|$|[\n\r\u2028\u2029])/y

function behind(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
