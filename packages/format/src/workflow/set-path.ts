// Sets a value at a path inside a body. Creates missing containers and does not change its arguments.

import { describeType, isJsonArray, isJsonObject, ownOf, setOwn, type JsonValue } from "../json/value.ts"
import { formatPath, isArrayIndex, type PathSegments } from "./path.ts"

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
    // A `null` on the path is a value like any scalar: nothing can be set inside it.
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
