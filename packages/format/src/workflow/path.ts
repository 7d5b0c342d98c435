// Reads and sets values at paths: `a.b.0.c`, `a["key.with.dots"]`, `a[0]`. Only own properties resolve.

import { attempt } from "../attempt.ts"
import { describeType, isJsonArray, isJsonObject, type JsonValue, ownOf, setOwn } from "../json/value.ts"
import { memoTexts } from "../memo.ts"

export type PathSegments = readonly string[]
type ParsedPath = { readonly ok: true; readonly segments: readonly [string, ...string[]] } | BadPath

interface BadPath {
  readonly ok: false
  readonly message: string
  readonly offset: number
}

/** The value found by a walk, or the index of the segment where the walk stopped. */
export type Resolution =
  | { readonly found: true; readonly value: JsonValue }
  | { readonly found: false; readonly at: number }

const arrayIndex = /^(?:0|[1-9][0-9]{0,15})$/

/** Returns whether a segment is an array index: `0` or `12`, but not `01` or `-1`. */
export const isArrayIndex = (segment: string): boolean => arrayIndex.test(segment)

export function parsePath(text: string): ParsedPath {
  const segments: string[] = []
  let at = 0
  let wantsName = true
  if (text === "") return { ok: false, message: "the path is empty", offset: 0 }
  while (at < text.length) {
    const char = text[at]
    if (char === "[") {
      if (wantsName && segments.length > 0) return bad(`a name is missing before "["`, at)
      const bracket = readBracket(text, at)
      if (!bracket.ok) return bracket
      segments.push(bracket.segment)
      at = bracket.end
      wantsName = false
    } else if (char === ".") {
      if (wantsName) return bad(`a name is missing before "."`, at)
      at++
      wantsName = true
    } else {
      if (!wantsName) return bad(`"." or "[" is missing before ${JSON.stringify(char)}`, at)
      const [name = ""] = /^[^.[]*/.exec(text.slice(at)) ?? []
      if (/[\]{}]/.test(name)) return bad(`${JSON.stringify(name)} is not a valid name`, at)
      segments.push(name)
      at += name.length
      wantsName = false
    }
  }
  const [first, ...rest] = segments
  return wantsName || first === undefined
    ? bad("a name is missing at the end", text.length)
    : { ok: true, segments: [first, ...rest] }
}

type Bracket = { readonly ok: true; readonly segment: string; readonly end: number } | BadPath

const bad = (message: string, offset: number): BadPath => ({ ok: false, message, offset })

function readBracket(text: string, open: number): Bracket {
  if (text[open + 1] !== '"') {
    const close = text.indexOf("]", open)
    const index = close === -1 ? "" : text.slice(open + 1, close)
    if (!isArrayIndex(index)) return bad(`expected an index or a "quoted" key between [ and ]`, open)
    return { ok: true, segment: index, end: close + 1 }
  }
  let end = open + 2
  while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1
  if (text[end] !== '"' || text[end + 1] !== "]") return bad(`the quoted key is not closed by "]`, open)
  const segment = attempt(() => JSON.parse(text.slice(open + 1, end + 1)) as string)
  if (segment === undefined) return bad("the quoted key is not a JSON string", open)
  return { ok: true, segment, end: end + 2 }
}

/** Caches `parsePath`, because a workflow has few paths and reads them in every iteration. */
export const parsePathOnce = memoTexts(parsePath)

export function resolveSegments(value: JsonValue, segments: PathSegments, from = 0): Resolution {
  let current = value
  for (let at = from; at < segments.length; at++) {
    const next = stepInto(current, segments[at]!)
    if (next === undefined) return { found: false, at }
    current = next
  }
  return { found: true, value: current }
}

// Reads only own properties, so that `constructor` doesn't resolve to Object's. JSON values are never undefined.
export function stepInto(value: JsonValue | undefined, segment: string): JsonValue | undefined {
  if (typeof value !== "object" || value === null) return undefined
  if (Array.isArray(value)) return isArrayIndex(segment) ? (value[Number(segment)] as JsonValue) : undefined
  return ownOf(value as Record<string, JsonValue>, segment)
}

const plainSegment = /^[^.[\]{}"]+$/

/** Formats segments as a path that `parsePath` reads back as the same segments. */
export function formatPath(segments: readonly (string | number)[]): string {
  let text = ""
  for (const segment of segments) {
    if (typeof segment === "number") text += `[${segment}]`
    else if (!plainSegment.test(segment)) text += `[${JSON.stringify(segment)}]`
    else text += text === "" ? segment : `.${segment}`
  }
  return text
}

/** Formats a pointer for messages. Shows only the end of a very long one, which is more helpful and saves memory. */
export const formatPlace = (pointer: readonly (string | number)[]): string =>
  pointer.length > 12 ? `…${formatPath(pointer.slice(-6))}` : formatPath(pointer)

type SetPath =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly message: string }

/** Returns a copy of `body` with `value` at `path`. Only the containers on the path are copied. `body` may be absent. */
export function setPath(body: JsonValue | undefined, path: PathSegments, value: JsonValue): SetPath {
  const opened: { readonly container: JsonValue[] | Record<string, JsonValue>; readonly segment: string }[] =
    []
  let here: JsonValue | undefined = body
  for (const [depth, segment] of path.entries()) {
    const container = openContainer(here, segment)
    if (container === undefined || (Array.isArray(container) && Number(segment) > container.length)) {
      const place = depth === 0 ? "the body" : `"${formatPath(path.slice(0, depth))}"`
      const why =
        container === undefined
          ? `is ${describeType(here)}, so it can't have a property "${segment}"`
          : `has ${container.length} items, so index ${segment} can't be set`
      return { ok: false, message: `${place} ${why}` }
    }
    opened.push({ container, segment })
    // Nothing can be set inside `null` or another scalar on the path.
    here = Array.isArray(container) ? container[Number(segment)] : ownOf(container, segment)
  }
  let child: JsonValue = value
  for (const { container, segment } of opened.toReversed()) {
    if (Array.isArray(container)) container[Number(segment)] = child
    else setOwn(container, segment, child)
    child = container
  }
  return { ok: true, value: child }
}

function openContainer(here: JsonValue | undefined, segment: string) {
  if (here === undefined) return isArrayIndex(segment) ? [] : {}
  if (isJsonArray(here)) return isArrayIndex(segment) ? [...here] : undefined
  return isJsonObject(here) ? { ...here } : undefined
}
