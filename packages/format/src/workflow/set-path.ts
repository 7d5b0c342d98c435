// Sets a value at a path inside a body: makes the containers on the way, and changes nothing that it was given.

import { describeType, isJsonArray, isJsonObject, ownOf, setOwn, type JsonValue } from "../json/value.ts"
import { formatPath, isArrayIndex, type PathSegments } from "./path.ts"

type SetPath =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly message: string }

/** A copy of `body` in which `path` is `value`; only the containers on the way are copied. `body` may be absent. */
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
    // A `null` on the way is a value like any scalar: nothing is set inside it.
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

function openContainer(
  here: JsonValue | undefined,
  segment: string,
): JsonValue[] | Record<string, JsonValue> | undefined {
  if (here === undefined) return isArrayIndex(segment) ? [] : {}
  if (isJsonArray(here)) return isArrayIndex(segment) ? [...here] : undefined
  return isJsonObject(here) ? { ...here } : undefined
}
