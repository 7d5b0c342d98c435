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
  const explained = ofValues.has(reason) ? explainValue(line, position - start, reason) : undefined
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

/** Why a text that starts with a character needs quotes. */
const causes = [
  [/^['"]/, syntax.afterQuotes],
  [/^[>|]/, syntax.afterBlockMark],
  [/^[@`%*&!{[\],}?-]/, syntax.specialStart],
] as const

/** Explains an error inside the value of a line, such as `description: Note: see below`. */
function explainValue(line: string, column: number, reason: string): Finding | undefined {
  // Removed first, because the pattern for the key also matches these characters: a search for both is quadratic.
  const item = line.replace(/^[\s-]+/, "")
  const [before, key = "", value = ""] = /^("[^"]*"|'[^']*'|[^\s:#][^:#]*):\s+(\S.*)$/.exec(item) ?? []
  const from = line.length - value.length
  if (before === undefined || column < from) return undefined
  if (reason === "unknown escape sequence")
    return syntax.badEscape(
      line.slice(column - 1, column + 1),
      `${key}: '${shorten(value.replaceAll('"', ""))}'`,
    )
  const [, cause] = causes.find(([start]) => start.test(value)) ?? []
  const hasColon = value.slice(0, column - from + 1).includes(":")
  return (cause ?? (hasColon ? syntax.colon : undefined))?.(value.slice(0, 1), `${key}: ${quoted(value)}`)
}

/** Puts a text in quotes. Single quotes keep backslashes, as in patterns. */
function quoted(value: string): string {
  const text = shorten(value.replace(/^[>|][+-]?\s*/, ""))
  return /["\\]/.test(text) ? `'${text.replaceAll("'", "''")}'` : `"${text}"`
}

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text)
