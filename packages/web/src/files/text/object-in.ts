// Reads an object in a value that a file may contain in any form.

import { isJsonObject, ownOf, type JsonObject, type JsonValue } from "@callsheet/format"

/** Returns the member if it is an object, and otherwise an empty one. */
export function objectIn(value: JsonValue | undefined, field: string): JsonObject {
  const inner = value !== undefined && isJsonObject(value) ? ownOf(value, field) : undefined
  return inner !== undefined && isJsonObject(inner) ? inner : {}
}
