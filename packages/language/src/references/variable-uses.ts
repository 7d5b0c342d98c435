// Finds the places where a string reads a variable: in placeholders, including nested ones, or as a path.

import { attempt, type LiveString, parseTemplateOnce, type TemplatePart, tokensOf } from "@callsheet/format"
import { mayMeet } from "../names/name-pattern.ts"
import type { VariableReading } from "../types/static-scope.ts"

export interface Variable {
  readonly api: string
  readonly name: string
}

export interface VariableUse {
  readonly span: SegmentSpan
  /** `plain` for the bare name, `env` for `env.<api>.<name>`. */
  readonly by: "plain" | "env"
}

/**
 * Finds the uses of the variable in a string. Ignores malformed strings. If `isUncertain`, there may be more uses: a
 * name depends on a placeholder or on a block that might not run, or contains escapes.
 */
export function findUses(
  { text, is }: Pick<LiveString, "text" | "is">,
  variable: Variable,
  read: (parts: readonly TemplatePart[]) => VariableReading | undefined,
) {
  const template = parseTemplateOnce(text)
  if (!template.ok) return { uses: [], isUncertain: false }
  const paths = tokensOf(template.parts)
    .filter(({ inner: [first] }) => typeof first !== "string" || !first.startsWith("$"))
    .map(({ inner, offset }) => ({ parts: inner, start: pastBlanks(text, offset + 2) }))
  if (is === "path") paths.push({ parts: template.parts, start: 0 })
  const found = paths.map(({ parts, start }) => {
    const reading = read(parts)
    if (reading === undefined || !isOf(reading, variable)) return undefined
    return hasEscapes(parts) ? "uncertain" : useOf(text, start, reading)
  })
  return {
    uses: found.filter((use) => typeof use === "object"),
    isUncertain: found.includes("uncertain"),
  }
}

export const pastBlanks = (text: string, from: number): number => from + text.slice(from).search(/\S|$/)

/**
 * Returns whether a path reads the variable. If `isSure` is false, returns whether it may do so after its placeholders
 * are expanded.
 */
const isOf = ({ api, name, isSure }: VariableReading, variable: Variable): boolean =>
  isSure
    ? api === variable.api && name === variable.name
    : mayMeet(api, variable.api) && mayMeet(name, variable.name)

/** Returns whether the path contains escapes, so that its text differs from its parts. */
const hasEscapes = (parts: readonly TemplatePart[]): boolean =>
  parts.some((part, at) =>
    typeof part === "string"
      ? part.includes("{{") || (part.endsWith("\\") && at + 1 < parts.length)
      : hasEscapes(part.inner),
  )

function useOf(text: string, start: number, reading: VariableReading): VariableUse | "uncertain" {
  const { api, name, segment, isSure } = reading
  // A sure name has no placeholders, so the text contains exactly this name.
  const span = isSure ? spanOf(text, start, segment === 0 ? [name] : ["env", api, name]) : undefined
  return span === undefined ? "uncertain" : { span, by: segment === 0 ? "plain" : "env" }
}

interface SegmentSpan {
  /** The start of the name. A quoted key starts after its quote. */
  readonly from: number
  readonly to: number
  readonly outerFrom: number
  readonly outerTo: number
}

/** Finds the last segment if the path at `start` begins with these segments. */
function spanOf(text: string, start: number, segments: readonly string[]): SegmentSpan | undefined {
  let span: SegmentSpan | undefined
  for (const segment of segments) {
    const behind: number = span?.outerTo ?? start
    const from = text[behind] === "." ? behind + 1 : behind
    const to = from + segment.length
    const bracket = bracketAt(text, from)
    if (bracket?.segment === segment) span = bracket
    else if (text.startsWith(segment, from)) span = { from, to, outerFrom: from, outerTo: to }
    else return undefined
  }
  return span
}

const bracket = /\[(?:"((?:[^"\\]|\\.)*)"|([0-9]+))\]/y

/** Returns the quoted key or the index in the brackets at `open`. */
export function bracketAt(text: string, open: number) {
  bracket.lastIndex = open
  const [whole, quoted, index] = bracket.exec(text) ?? []
  if (whole === undefined) return undefined
  const edge = quoted === undefined ? 1 : 2
  const outerTo = open + whole.length
  const segment = quoted === undefined ? index : unquoted(quoted)
  return { segment, from: open + edge, to: outerTo - edge, outerFrom: open, outerTo }
}

const unquoted = (inner: string): string | undefined => attempt(() => JSON.parse(`"${inner}"`) as string)
