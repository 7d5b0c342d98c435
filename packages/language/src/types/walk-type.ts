// Follows a path through the type of a value and reports steps that might not exist.

import {
  formatPath,
  onlySimilar,
  type Origin,
  type Replacement,
  suggest,
  unknownType,
  type ValueType,
} from "@callsheet/format"
import { describeKinds } from "./describe-type.ts"
import { HOLE } from "../names/name-pattern.ts"
import { advice, reasons } from "../messages.ts"

export interface PathIssue {
  readonly is:
    /** The first name is unknown or not available yet. */
    | "unknown"
    /** The path is in braces, so that a run would read its value as a path. */
    | "braced"
    /** The block that the first name refers to may be skipped. */
    | "skippable"
    /** The document rules out the step. */
    | "nowhere"
    /** Only responses with statuses that the workflow doesn't check have the step. */
    | "elsewhere"
    /** The document doesn't mention the step but allows it. */
    | "undocumented"
  readonly message: string
  readonly hint?: string | undefined
  readonly isNear?: boolean
  /** The only known name that resembles an unknown one. */
  readonly replacement?: Replacement | undefined
  /** The strength of the document's claim. Absent if the issue doesn't depend on a document. */
  readonly origin?: Origin | undefined
}

export interface WalkResult {
  readonly type: ValueType
  readonly issue?: PathIssue
}

export interface Step {
  readonly segment: string
  /** The type of the placeholder, if the segment is only a placeholder. */
  readonly type: ValueType
}

/** The type of a first name. `otherwise` is its type for statuses that the workflow doesn't check. */
export interface NameType {
  readonly type: ValueType
  readonly otherwise?: ValueType | undefined
}

export const meansNothing = (message: string, hint?: string, replacement?: Replacement): WalkResult => ({
  type: unknownType,
  issue: { is: "unknown", message, hint, replacement },
})

/** Returns the only known name that resembles an unknown one in a path. */
export function similarName(
  from: string,
  known: Iterable<string>,
  more: Iterable<string> = [],
): Replacement | undefined {
  const to = onlySimilar(from, [...known, ...more])
  return to === undefined ? undefined : { is: "name", from, to }
}

/** Follows the steps after the first name, or from index `from` on. */
export function walk(known: NameType, segments: readonly Step[], from = 1): WalkResult {
  const main = follow(known.type, segments, from)
  if (main.issue?.is !== "nowhere" || known.otherwise === undefined) return main
  const other = follow(known.otherwise, segments, from)
  if (other.issue?.is === "nowhere") return main
  const { message, hint, isNear = false, replacement } = main.issue
  const isMentioned = mentions(known.otherwise, segments, from)
  return {
    type: other.type,
    issue: {
      is: "elsewhere",
      message: isMentioned ? reasons.noPropertyHere(message) : message,
      hint: hint ?? (isMentioned ? advice.assertStatus : undefined),
      isNear,
      replacement,
      origin: "described",
    },
  }
}

function follow(start: ValueType, segments: readonly Step[], from: number): WalkResult {
  let here = start
  for (const [at, { segment, type }] of segments.entries()) {
    if (at < from) continue
    const name = segment.includes(HOLE) ? indexOf(segment, type) : segment
    if (name === undefined) return { type: unknownType }
    const step = here.step(name)
    if (step.leads === "to") {
      here = step.type
      continue
    }
    const header = lowerCaseHeader(segments, at, here)
    const near = header === undefined ? suggest(segment, here.names()) : advice.lowerCase(header)
    const holder = showHoles(formatPath(segments.slice(0, at).map((before) => before.segment)))
    const mayBeObject = here.kinds === undefined || here.kinds.has("object")
    const message = reasons.noProperty(
      holder,
      mayBeObject ? undefined : describeKinds(here),
      showHoles(segment),
    )
    return {
      type: unknownType,
      issue: {
        is: step.leads === "nowhere" ? "nowhere" : "undocumented",
        message,
        hint: near ?? explainHolder(here),
        isNear: near !== undefined,
        replacement:
          near === undefined
            ? undefined
            : similarName(segment, header === undefined ? here.names() : [header]),
        origin: step.leads === "nowhere" ? step.origin : "described",
      },
    }
  }
  return { type: here }
}

/** Returns whether the document mentions all steps. An open schema, or none, may allow them without a word. */
function mentions(start: ValueType, segments: readonly Step[], from: number): boolean {
  let here = start
  for (const { segment, type } of segments.slice(from)) {
    const step = here.step((segment.includes(HOLE) ? indexOf(segment, type) : segment) ?? "")
    const saysNothing = here.names().length === 0 && here.kinds?.has("array") !== true
    if (step.leads !== "to" || saysNothing) return false
    here = step.type
  }
  return true
}

/** Returns the name of a header that isn't written in lower case. */
function lowerCaseHeader(segments: readonly Step[], at: number, headers: ValueType): string | undefined {
  const name = segments[at]?.segment ?? ""
  const isHeader = at === 3 && segments[1]?.segment === "response" && segments[2]?.segment === "headers"
  if (!isHeader || name === name.toLowerCase() || headers.step(name.toLowerCase()).leads !== "to")
    return undefined
  return name.toLowerCase()
}

export const showHoles = (text: string): string => text.replaceAll(HOLE, "{{…}}")

/** Returns an index for a placeholder with a number. Other values are unknown. */
const indexOf = (segment: string, { kinds }: ValueType): string | undefined =>
  segment === HOLE && kinds !== undefined && [...kinds].every((kind) => kind === "number") ? "0" : undefined

function explainHolder(holder: ValueType): string | undefined {
  if (holder.kinds?.has("array") === true && holder.kinds.size === 1) return advice.arrayIndex
  const names = holder.names()
  return names.length === 0 || names.length > 12 ? undefined : advice.properties(names)
}
