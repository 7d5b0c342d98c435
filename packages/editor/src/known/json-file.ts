// A JSON file as completion and hover read it: what is at an offset, and the value of the file, however broken it is.

import {
  jsonPlaceAt,
  locateJson,
  once,
  type JsonPlace,
  type JsonPointer,
  type JsonValue,
} from "@callsheet/format"
import type { CheckedView } from "../project/project-state.ts"
import type { Place } from "../workspace/workspace.ts"

export interface JsonSpot {
  readonly file: Place["file"]
  readonly view: CheckedView
  readonly offset: number
  readonly place: JsonPlace
  /** The value of the file. Missing values are `null`. */
  readonly value: () => JsonValue
}

export function jsonSpot({ file, view }: Place, offset: number): JsonSpot {
  return {
    file,
    view,
    offset,
    place: jsonPlaceAt(file.text, offset),
    value: once(() => locateJson(file.text).value ?? null),
  }
}

/** The text of the file in the range that an edit replaces, up to the caret. */
export const typedText = ({ file, place, offset }: JsonSpot): string =>
  file.text.slice(place.range.from, Math.max(place.range.from, offset)).replace(/^"/, "")

/** Returns the pointer of the value at the place, or of one that would be written there. */
export const valuePointer = ({ place }: JsonSpot): JsonPointer =>
  place.at === "between" && place.index !== undefined ? [...place.pointer, place.index] : place.pointer
