// Parses `{{token}}` in strings. Linear and without recursion, however deep the text nests.

import { memoTexts } from "../memo.ts"

export type TemplatePart = string | Token

export interface Token {
  /** The text between the braces, trimmed. Nested tokens are parts of it. */
  readonly inner: readonly TemplatePart[]
  readonly offset: number
  /** The offset after its closing braces. */
  readonly end: number
}

export type ParsedTemplate =
  | { readonly ok: true; readonly parts: readonly TemplatePart[]; readonly hasTokens: boolean }
  | { readonly ok: false; readonly message: string; readonly hint?: string }

/** Parses the tokens of a string. `\{{` is a literal `{{`, and `\\{{x}}` is a backslash followed by the value. */
export function parseTemplate(text: string): ParsedTemplate {
  if (!text.includes("{{")) return { ok: true, parts: text === "" ? [] : [text], hasTokens: false }
  const open: { readonly offset: number; readonly outer: TemplatePart[] }[] = []
  let parts: TemplatePart[] = []
  let hasTokens = false
  let from = 0
  let at = 0
  const flush = (to: number) => {
    if (to > from) push(parts, text.slice(from, to))
  }
  while (at < text.length) {
    const unit = text.charCodeAt(at)
    if (unit === BACKSLASH) {
      const run = /^\\+/.exec(text.slice(at))?.[0].length ?? 0
      const escapes = text.startsWith("{{", at + run)
      if (escapes) {
        flush(at)
        push(parts, "\\".repeat(run >> 1))
        if (run % 2 === 1) push(parts, "{{")
        from = at + run + (run % 2 === 1 ? 2 : 0)
        at = from
      } else at += run
    } else if (unit === OPEN && text.charCodeAt(at + 1) === OPEN) {
      flush(at)
      if (open.length === MAX_NESTED_TOKENS)
        return { ok: false, message: `placeholders are nested more than ${MAX_NESTED_TOKENS} deep` }
      open.push({ offset: at, outer: parts })
      parts = []
      at += 2
      from = at
    } else if (unit === CLOSE && text.charCodeAt(at + 1) === CLOSE) {
      const token = open.pop()
      if (token === undefined) {
        at++
        continue
      }
      flush(at)
      const inner = trim(parts)
      if (inner.length === 0) return unfinished("empty placeholder: {{}}")
      at += 2
      token.outer.push({ inner, offset: token.offset, end: at })
      parts = token.outer
      hasTokens = true
      from = at
    } else at++
  }
  flush(text.length)
  if (open.length > 0) return unfinished("a placeholder is not closed; expected }}")
  return { ok: true, parts, hasTokens }
}

const unfinished = (message: string): ParsedTemplate => ({
  ok: false,
  message,
  hint: String.raw`write \{{ for a literal {{`,
})

// Limits the nesting of tokens, so that callers can expand them recursively.
const MAX_NESTED_TOKENS = 100
const BACKSLASH = 92
const OPEN = 123
const CLOSE = 125

function push(parts: TemplatePart[], text: string): void {
  if (text === "") return
  const last = parts.at(-1)
  if (typeof last === "string") parts[parts.length - 1] = last + text
  else parts.push(text)
}

function trim(parts: readonly TemplatePart[]): TemplatePart[] {
  const trimmed = [...parts]
  const first = trimmed[0]
  if (typeof first === "string") trimmed[0] = first.trimStart()
  const last = trimmed.at(-1)
  if (typeof last === "string") trimmed[trimmed.length - 1] = last.trimEnd()
  return trimmed.filter((part) => part !== "")
}

/** Returns whether the string is exactly one token. Such a string expands to the token's value with its type. */
export const isSingleToken = (parts: readonly TemplatePart[]): parts is readonly [Token] =>
  parts.length === 1 && typeof parts[0] !== "string"

/** Caches `parseTemplate`, because a workflow has few strings and expands them in every iteration. */
export const parseTemplateOnce = memoTexts(parseTemplate)

/** Returns whether a string contains tokens. False for a malformed string. */
export function hasTokens(text: string): boolean {
  const template = parseTemplateOnce(text)
  return template.ok && template.hasTokens
}

/** Returns every token of the parts. Nested tokens come after the token that contains them. */
export function tokensOf(parts: readonly TemplatePart[]): readonly Token[] {
  const tokens: Token[] = []
  const queue = [...parts]
  for (const part of queue) {
    if (typeof part === "string") continue
    tokens.push(part)
    for (const inner of part.inner) queue.push(inner)
  }
  return tokens
}
