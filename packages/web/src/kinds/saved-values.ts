// The values of a saved request in a block, which the block may override. Pure.

import { isJsonObject, type JsonObject, type JsonPointer, type JsonValue } from "@callsheet/format"
import { objectIn } from "../files/text/object-in.ts"
import { bodyLeaves, MAX_LEAVES } from "../forms/request/body-leaves.ts"

interface SavedValues {
  /** The overrides, with the saved values of what they don't override. */
  readonly shown: JsonObject
  /** The pointers of the saved values, relative to the overrides. */
  readonly inherited: readonly JsonPointer[]
  /** The pointers of the overrides, relative to them. */
  readonly own: readonly JsonPointer[]
}

export function savedValues(overrides: JsonObject, saved: JsonValue | undefined): SavedValues {
  const request = isJsonObject(saved) ? saved : {}
  const params = objectIn(request, "params")
  const ownParams = objectIn(overrides, "params")
  const body = savedBody(request)
  const ownBody = objectIn(overrides, "body")
  const places = [...new Set([...Object.keys(params), ...Object.keys(ownParams)])]
  // A path inside an overridden value has no effect of its own.
  const kept = Object.entries(body).filter(
    ([path]) => !Object.keys(ownBody).some((own) => isInside(path, own)),
  )
  const shown = {
    ...overrides,
    params: Object.fromEntries(
      places.map((place) => [place, { ...objectIn(params, place), ...objectIn(ownParams, place) }]),
    ),
    body: { ...Object.fromEntries(kept), ...ownBody },
  }
  return {
    shown,
    inherited: [...paramPointers(params), ...kept.map(([path]) => ["body", path])],
    own: [...paramPointers(ownParams), ...Object.keys(ownBody).map((path) => ["body", path])],
  }
}

/** Returns the values of a JSON body by path. A long body isn't listed. */
function savedBody({ body, bodyType = "json" }: JsonObject): JsonObject {
  if (body === undefined || !isJsonObject(body) || bodyType !== "json") return {}
  const leaves = bodyLeaves(body)
  return leaves.length < MAX_LEAVES ? Object.fromEntries(leaves.map(({ path, value }) => [path, value])) : {}
}

const isInside = (path: string, outer: string): boolean =>
  path.length > outer.length && path.startsWith(outer) && /^[.[]/.test(path.slice(outer.length))

const paramPointers = (params: JsonObject): readonly JsonPointer[] =>
  Object.keys(params).flatMap((place) =>
    Object.keys(objectIn(params, place)).map((name) => ["params", place, name]),
  )
