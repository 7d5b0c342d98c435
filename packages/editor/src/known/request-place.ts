// The request at a place: the names of its operation, and the path from its start.

import { isJsonObject, memberType, ownOf, valueAt, type JsonPointer, type ValueType } from "@callsheet/format"
import { blockPlaceAt } from "@callsheet/language"
import type { Operation } from "@callsheet/openapi"
import type { JsonSpot } from "./json-file.ts"
import { targetNames, type TargetNames } from "./operations.ts"
import { bodyTypeAt, bodyTypeOfPath } from "./request-types.ts"

export interface RequestPlace {
  readonly names: TargetNames | undefined
  /** The path from the request. In a block, parameters and the body are in `overrides`, which is left out. */
  readonly field: JsonPointer
  /** False for the request of a block, in whose body each key is a path. */
  readonly isSaved: boolean
}

/** Returns undefined outside requests. */
export function requestAt(spot: JsonSpot, pointer: JsonPointer): RequestPlace | undefined {
  const { is: file } = spot.file
  if (file.kind === "request")
    return { names: targetNames(spot.value(), file.api), field: pointer, isSaved: true }
  const place = file.kind === "workflow" ? blockPlaceAt(pointer) : undefined
  if (place?.field[0] !== "request") return undefined
  const block = valueAt(spot.value(), place.block)
  const names = targetNames(isJsonObject(block) ? ownOf(block, "request") : undefined)
  return { names, field: place.field.slice(place.field[1] === "overrides" ? 2 : 1), isSaved: false }
}

/** Returns the documented type of the part of the body at the place. */
export function bodyTypeIn(operation: Operation, { field, isSaved }: RequestPlace): ValueType | undefined {
  const [, path, ...steps] = field
  if (isSaved || path === undefined) return bodyTypeAt(operation, field.slice(1))
  return steps.reduce<ValueType | undefined>(
    (type, step) => type && memberType(type, typeof step === "number" ? "0" : step),
    bodyTypeOfPath(operation, String(path)),
  )
}
