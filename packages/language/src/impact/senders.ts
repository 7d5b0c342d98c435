// Finds the blocks that send an operation, and what is known of each request before a run.

import {
  ANY_KEY,
  hasResponse,
  type InstanceFile,
  isJsonArray,
  isJsonObject,
  type JsonPointer,
  type JsonValue,
  ownOf,
  parsePathOnce,
  type Params,
  type RequestBlock,
  unescapeKey,
  type Visit,
  walkBlocks,
  type WorkflowFile,
} from "@callsheet/format"
import { type ApiSource, findTarget, isOpen, type Target } from "../requests/target.ts"
import { composeBody } from "../validate/check-body.ts"
import { givenParam } from "../validate/given-request.ts"
import type { FilePlace } from "./reads.ts"

export interface Sender {
  readonly workflow: WorkflowFile
  readonly block: RequestBlock
  readonly pointer: Visit["pointer"]
  readonly target: Target
  readonly saved: InstanceFile | undefined
  /** The operation in the new document. Undefined if the block's target isn't in it. */
  readonly after: string | undefined
  readonly before: string | undefined
}

/** Names an operation independently of the names of its path parameters: `GET /orders/{}`. */
export const operationKey = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path.replaceAll(/\{[^{}]*\}/g, "{}")}`

export interface ApiVersions {
  readonly before: ApiSource
  readonly after: ApiSource
}

/** Returns the blocks of a workflow that send requests of an API. Skips those whose target contains placeholders. */
export function sendersIn(workflow: WorkflowFile, { before, after }: ApiVersions): readonly Sender[] {
  const { readable } = workflow
  return [...walkBlocks(readable?.workflow.blocks ?? [])].flatMap(({ block, pointer }): readonly Sender[] => {
    if (!hasResponse(block) || block.request.api !== after.api.name) return []
    if (readable?.broken.has(block) === true || isOpen(block.request)) return []
    const [now, then] = [findTarget(after, block.request), findTarget(before, block.request)]
    const found = now.found ? now : then
    if (!found.found) return []
    const keyOf = (one: typeof now) =>
      one.found ? operationKey(one.target.method, one.target.path) : undefined
    return [
      {
        workflow,
        block,
        pointer,
        target: found.target,
        saved: found.instanceFile,
        after: keyOf(now),
        before: keyOf(then),
      },
    ]
  })
}

interface SentValue extends FilePlace {
  /** Text for a parameter. */
  readonly value: JsonValue
  readonly isText: boolean
}

export interface Sent {
  readonly given: readonly SentValue[]
  /** True if a part of the request that could contain the value is left out. */
  readonly isOmitted: boolean
  /** True if the value is known only at run time. */
  readonly isUnknown: boolean
}

const places: Readonly<Record<string, keyof Params>> = {
  query: "query",
  path: "path",
  headers: "header",
  cookies: "cookie",
}

/** Returns what a block sends at a place such as `/query/page` or `/body/lines`. A `*` in it is any item or name. */
export function sentAt(sender: Sender, path: string): Sent {
  const [first = "", ...segments] = path
    .split("/")
    .slice(1)
    .map((step) => (step === ANY_KEY ? ANY : unescapeKey(step)))
  if (first === "body") return sentBody(sender, segments)
  const place = ownOf(places, first)
  const param = place && givenParam(sender, place, segments[0] ?? "")
  if (param === undefined) return { given: [], isOmitted: true, isUnknown: false }
  const { text, pointer, isSaved } = param
  return {
    given: [{ value: text, isText: true, ...placeIn(sender, pointer, isSaved) }],
    isOmitted: false,
    isUnknown: false,
  }
}

/** Stands for any item or name. */
const ANY = "\u0000"

/** Returns the place of the whole target. */
export const placeOfTarget = (sender: Sender, field?: "operation" | "resource"): FilePlace => {
  const { request } = sender.block
  const name = field ?? (request.instance === undefined ? "operation" : "instance")
  return placeIn(sender, ["request", name], false)
}

const placeIn = ({ workflow, pointer, saved }: Sender, at: JsonPointer, isSaved: boolean): FilePlace =>
  isSaved && saved !== undefined ? { source: saved, at } : { source: workflow, at: [...pointer(), ...at] }

interface Found {
  readonly value: JsonValue
  readonly segments: readonly string[]
}

function sentBody(sender: Sender, segments: readonly string[]): Sent {
  const { isKnown, body } = composeBody({ ...sender, report: () => undefined })
  if (!isKnown) return { given: [], isOmitted: false, isUnknown: true }
  if (body === undefined) return { given: [], isOmitted: segments.length === 0, isUnknown: false }
  let found: readonly Found[] = [{ value: body, segments: [] }]
  let isOmitted = false
  let isUnknown = false
  for (const segment of segments) {
    const next: Found[] = []
    for (const one of found) {
      if (typeof one.value === "string") {
        isUnknown ||= one.value.includes("{{")
        continue
      }
      const inside = membersOf(one, segment)
      isOmitted ||= inside.length === 0 && segment !== ANY && isJsonObject(one.value)
      next.push(...inside)
    }
    found = next
  }
  return {
    given: found.map(({ value, segments: at }) => ({ value, isText: false, ...placeOfBody(sender, at) })),
    isOmitted,
    isUnknown,
  }
}

function membersOf({ value, segments }: Found, segment: string): readonly Found[] {
  if (!isJsonArray(value) && !isJsonObject(value)) return []
  if (segment === ANY)
    return Object.entries(value).map(([name, inner]) => ({ value: inner, segments: [...segments, name] }))
  const inner = isJsonObject(value) ? ownOf(value, segment) : undefined
  return inner === undefined ? [] : [{ value: inner, segments: [...segments, segment] }]
}

/** Returns the place of a part of the body: in the last override that sets it, or in the saved request. */
function placeOfBody(sender: Sender, segments: readonly string[]): FilePlace {
  const keys = Object.keys(sender.block.request.overrides?.body ?? {})
  for (const key of keys.toReversed()) {
    const path = parsePathOnce(key)
    if (!path.ok || path.segments.length > segments.length) continue
    if (path.segments.every((segment, at) => segment === segments[at])) {
      const inner = segments.slice(path.segments.length)
      return placeIn(sender, ["request", "overrides", "body", key, ...inner], false)
    }
  }
  return placeIn(sender, ["body", ...segments], true)
}
