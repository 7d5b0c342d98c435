// Explains why a YAML file can't be parsed. The parser's reason is about its grammar, but authors usually forgot quotes.

import type { Finding } from "@callsheet/format"
import { messages } from "./messages.ts"

interface YamlError {
  readonly reason: string
  /** The offset of the error in the text. */
  readonly position: number
}

const syntax = messages["yaml-syntax"]

export function explainYamlError(text: string, { reason, position }: YamlError): Finding {
  if (reason === "duplicated mapping key") return syntax.duplicateKey()
  if (reason.startsWith("tab characters")) return syntax.tab()
  const start = text.lastIndexOf("\n", position - 1) + 1
  const end = text.indexOf("\n", position)
  const line = text.slice(start, end === -1 ? undefined : end).trimEnd()
  const missing = reason.includes("multiline key") ? lineBefore(text, start) : undefined
  if (missing !== undefined) return syntax.missingSpace(missing)
  const explained = ofValues.has(reason) ? explainValue(line, position - start) : undefined
  return explained ?? syntax.malformed(reason)
}

/** The reasons that a text without quotes has. */
const ofValues = new Set([
  "bad indentation of a mapping entry",
  "a line break is expected",
  "unknown escape sequence",
])

/** Returns the line before, if it lacks the blank after its colon: `summary:List`. */
function lineBefore(text: string, start: number): string | undefined {
  const line = text.slice(text.lastIndexOf("\n", start - 2) + 1, Math.max(0, start - 1)).trim()
  return /^[\w$-]+:[^\s/]/.test(line) ? shorten(line) : undefined
}

/** Explains an error inside the value of a line, such as `description: Note: see below`. */
function explainValue(line: string, column: number): Finding | undefined {
  const [before, key = "", value = ""] = /^[\s-]*("[^"]*"|'[^']*'|[^\s:#][^:#]*):\s+(\S.*)$/.exec(line) ?? []
  const from = line.length - value.length
  if (before === undefined || column < from) return undefined
  const first = value.slice(0, 1)
  if (first === '"') {
    // Only a closed text can be followed by more of it.
    const escape = /^"(?:[^"\\]|\\["\\/abefnrtvxuUNLP0 _])*\\(.)/.exec(value)?.[1]
    if (escape !== undefined && column <= from + value.indexOf(`\\${escape}`) + 2)
      return syntax.badEscape(`\\${escape}`, `${key}: '${shorten(value.slice(1).replace(/"$/, ""))}'`)
  }
  const why =
    first === "'" || first === '"'
      ? syntax.afterQuotes
      : /^[>|]/.test(first)
        ? syntax.afterBlockMark
        : /^[@`%*&!{[\],}?-]/.test(first)
          ? syntax.specialStart
          : value.slice(0, column - from + 1).includes(":")
            ? syntax.colon
            : undefined
  return why?.(first, `${key}: ${quoted(value)}`)
}

/** Puts a text in quotes. Single quotes keep backslashes, as in patterns. */
function quoted(value: string): string {
  const text = shorten(value.replace(/^[>|][+-]?\s*/, ""))
  return /["\\]/.test(text) ? `'${text.replaceAll("'", "''")}'` : `"${text}"`
}

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text)
