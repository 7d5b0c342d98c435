// Finds what a broken reference probably means: the same name in another list, or a similar name in the same list.

import { didYouMean, isJsonObject, type JsonObject, type JsonValue } from "@callsheet/format"
import { escapePointer, pointerKeys, objectMember, valueAt } from "./located.ts"

/** Returns the JSON pointer of a similar place, or undefined if there is none. */
export function placeNear(root: JsonValue, pointer: string): string | undefined {
  const keys = pointerKeys(pointer)
  const last = keys.at(-1)
  if (last === undefined || keys.length > 3) return undefined
  const name = escapePointer(last)
  const moved = listsOf(root).find((list) => valueAt(root, `${list}/${name}`) !== undefined)
  if (moved !== undefined) return `${moved}/${name}`
  const parent = pointer.slice(0, pointer.lastIndexOf("/"))
  const siblings = valueAt(root, parent)
  const meant = isJsonObject(siblings) ? didYouMean(last, Object.keys(siblings)) : undefined
  return meant === undefined ? undefined : `${parent}/${escapePointer(meant)}`
}

/** Returns the pointers of the lists that references lead into, in all versions. Schemas come first. */
function listsOf(root: JsonValue): readonly string[] {
  const components: JsonObject = objectMember(root, "components") ?? {}
  return [
    "definitions",
    "components/schemas",
    ...Object.keys(components).map((key) => `components/${escapePointer(key)}`),
    "parameters",
    "responses",
  ].map((list) => `/${list}`)
}
