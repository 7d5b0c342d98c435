// Where a string reads variables: in its tokens, nested ones too, and as a path.

import { type LiveString, parseTemplateOnce, type TemplatePart, tokensOf } from "@callsheet/format"
import { mayMeet } from "../names/name-pattern.ts"
import type { VariableReading } from "../types/static-scope.ts"

type ReadPath = (parts: readonly TemplatePart[]) => VariableReading | undefined

export interface Variable {
  readonly api: string
  readonly name: string
}

export interface VariableUse {
  readonly span: SegmentSpan
  /** `plain`: by its name alone. `env`: by `env.<api>.<name>`. */
  readonly by: "plain" | "env"
}

export interface FoundUses {
  readonly uses: readonly VariableUse[]
  /** Something may read it too: what a token gives decides, or whether a block has run, or it is written as nobody does. */
  readonly isUncertain: boolean
}

/** Finds where a string reads the variable. One that is malformed reads nothing. */
export function findUses(
  { text, is }: Pick<LiveString, "text" | "is">,
  variable: Variable,
  read: ReadPath,
): FoundUses {
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

/** Where it is not sure, the names may come to be those of the variable. */
const isOf = ({ api, name, isSure }: VariableReading, variable: Variable): boolean =>
  isSure
    ? api === variable.api && name === variable.name
    : mayMeet(api, variable.api) && mayMeet(name, variable.name)

/** Whether the text writes the path otherwise than its parts say it. */
const hasEscapes = (parts: readonly TemplatePart[]): boolean =>
  parts.some((part, at) =>
    typeof part === "string"
      ? part.includes("{{") || (part.endsWith("\\") && at + 1 < parts.length)
      : hasEscapes(part.inner),
  )

function useOf(text: string, start: number, reading: VariableReading): VariableUse | "uncertain" {
  const { api, name, segment, isSure } = reading
  // No token makes the names of what is sure, so that the text has them as they are.
  const span = isSure ? spanOf(text, start, segment === 0 ? [name] : ["env", api, name]) : undefined
  return span === undefined ? "uncertain" : { span, by: segment === 0 ? "plain" : "env" }
}

interface SegmentSpan {
  /** The name's place: for a quoted key, the text between the quotes. */
  readonly from: number
  readonly to: number
  readonly outerFrom: number
  readonly outerTo: number
}

/** Finds the last of the segments that the path at `start` begins with. */
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

/** The key in quotes, or the index, in the brackets at `open`. */
export function bracketAt(text: string, open: number) {
  bracket.lastIndex = open
  const [whole, quoted, index] = bracket.exec(text) ?? []
  if (whole === undefined) return undefined
  const edge = quoted === undefined ? 1 : 2
  const outerTo = open + whole.length
  const segment = quoted === undefined ? index : unquoted(quoted)
  return { segment, from: open + edge, to: outerTo - edge, outerFrom: open, outerTo }
}

function unquoted(inner: string): string | undefined {
  try {
    return JSON.parse(`"${inner}"`) as string
  } catch {
    return undefined
  }
}
