// Where a string reads variables: in its tokens, nested ones too, and as a path.

import {
  parsePathOnce,
  parseTemplateOnce,
  tokensOf,
  type LiveString,
  type TemplatePart,
} from "@callsheet/format"
import { mayMeet, patternOf } from "../names/name-pattern.ts"
import type { VariableReading } from "../types/static-scope.ts"
import { segmentSpans, tokenRange, type SegmentSpan } from "./path-spans.ts"

/** What the path made of these parts reads, where it stands. */
type ReadPath = (parts: readonly TemplatePart[]) => VariableReading | undefined

export interface Variable {
  readonly api: string
  readonly name: string
}

/** One place in a string that reads a variable. */
export interface VariableUse {
  /** Its name, as it stands there. */
  readonly span: SegmentSpan
  /** `plain`: by its name alone. `env`: by `env.<api>.<name>`. */
  readonly by: "plain" | "env"
}

export interface FoundUses {
  readonly uses: readonly VariableUse[]
  /** Something may read it too: what a token gives decides, or whether a block has run, or it is written as nobody does. */
  readonly isDoubtful: boolean
}

const noUses: FoundUses = { uses: [], isDoubtful: false }

/** Finds where a string reads the variable. One that is malformed reads nothing. */
export function findUses(
  { text, is }: Pick<LiveString, "text" | "is">,
  variable: Variable,
  read: ReadPath,
): FoundUses {
  const template = parseTemplateOnce(text)
  if (!template.ok) return noUses
  const paths = tokensOf(template.parts).map(({ inner, offset }): Path => ({
    parts: inner,
    range: tokenRange(text, offset),
    isToken: true,
  }))
  if (is === "path")
    paths.push({ parts: template.parts, range: { from: 0, to: text.length }, isToken: false })
  const found = paths.map((path) => findUse(text, path, { variable, read }))
  return {
    uses: found.filter((use) => typeof use === "object"),
    isDoubtful: found.includes("doubtful"),
  }
}

interface Path {
  readonly parts: readonly TemplatePart[]
  /** Undefined where it cannot be told from the text. */
  readonly range: { readonly from: number; readonly to: number } | undefined
  readonly isToken: boolean
}

interface Question {
  readonly variable: Variable
  readonly read: ReadPath
}

function findUse(
  text: string,
  { parts, range, isToken }: Path,
  { variable, read }: Question,
): VariableUse | "doubtful" | undefined {
  const [first] = parts
  if (isToken && typeof first === "string" && first.startsWith("$")) return undefined
  const reading = read(parts)
  if (reading === undefined || !isOf(reading, variable)) return undefined
  const spans = range === undefined ? undefined : segmentSpans(text, range.from, range.to)
  const span = spans?.[reading.segment]
  if (!reading.isSure || span === undefined || !isSamePath(spans ?? [], parts)) return "doubtful"
  return { span, by: reading.segment === 0 ? "plain" : "env" }
}

/** Where it is not sure, the names may come to be those of the variable. */
const isOf = ({ api, name, isSure }: VariableReading, variable: Variable): boolean =>
  isSure
    ? api === variable.api && name === variable.name
    : mayMeet(api, variable.api) && mayMeet(name, variable.name)

/** The spans are made from the text, what a path means is told by its parts: they must agree. */
function isSamePath(spans: readonly SegmentSpan[], parts: readonly TemplatePart[]): boolean {
  const parsed = parsePathOnce(patternOf(parts))
  return (
    parsed.ok &&
    parsed.segments.length === spans.length &&
    parsed.segments.every((segment, at) => segment === spans[at]?.segment)
  )
}
