// Reads JSON text that is known to parse.

import { type JsonValue, parseJson } from "@callsheet/format"

export function valueOf(text: string): JsonValue {
  const parsed = parseJson(text.replace(/^\ufeff/, ""))
  if (!parsed.ok) throw new Error("cannot edit a file that does not parse")
  return parsed.value
}
