// Finds the placeholders in the text of a field. Pure.

import { parseTemplateOnce, tokensOf } from "@callsheet/format"

/** `path`: the whole string is a path. `text`: its placeholders contain paths. `none`: the string is literal. */
export type Reads = "path" | "text" | "none"

export interface FieldToken {
  readonly from: number
  readonly to: number
  /** The path as written, without the braces. */
  readonly path: string
  /** True for a field whose whole text is a path. */
  readonly isWhole: boolean
}

export interface FieldTokens {
  /** In order. A placeholder inside another comes after it. */
  readonly tokens: readonly FieldToken[]
  /** True if a placeholder isn't closed yet. */
  readonly isOpen: boolean
}

const noTokens: FieldTokens = { tokens: [], isOpen: false }

export function tokensIn(text: string, reads: Reads): FieldTokens {
  if (reads === "none") return noTokens
  const [open] = openTokens(text)
  const tokens = placeholders(text.slice(0, open))
  const whole = { from: 0, to: text.length, path: text.trim(), isWhole: true }
  return {
    tokens: reads === "path" && whole.path !== "" ? [whole, ...tokens] : tokens,
    isOpen: open !== undefined,
  }
}

function placeholders(text: string): readonly FieldToken[] {
  const template = parseTemplateOnce(text)
  if (!template.ok || !template.hasTokens) return []
  return tokensOf(template.parts)
    .map(({ offset, end }) => ({
      from: offset,
      to: end,
      path: text.slice(offset + 2, end - 2).trim(),
      isWhole: false,
    }))
    .sort((a, b) => a.from - b.from)
}

/** Returns the starts of the placeholders that aren't closed, outermost first. */
export function openTokens(text: string): readonly number[] {
  const opens: number[] = []
  for (let at = 0; at < text.length - 1; at++) {
    const pair = text.slice(at, at + 2)
    if (pair === "{{" && text[at - 1] !== "\\") opens.push(at++)
    else if (pair === "}}" && opens.length > 0) {
      opens.pop()
      at++
    }
  }
  return opens
}

/** Returns the innermost placeholder at an offset. */
export const tokenAt = ({ tokens }: FieldTokens, offset: number): FieldToken | undefined =>
  tokens.findLast(({ from, to }) => from <= offset && offset <= to)

/** Returns the placeholders that aren't inside another. */
export const outermost = ({ tokens }: FieldTokens): readonly FieldToken[] =>
  tokens.filter(
    (token) =>
      !token.isWhole &&
      !tokens.some((other) => !other.isWhole && other.from < token.from && token.to <= other.to),
  )
