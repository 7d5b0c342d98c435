// The values of an enum in a message.

import { stringifyJson, type JsonValue } from "@callsheet/format"

const MAX_LISTED = 8

/** `"a", "b", …` */
export function listValues(values: readonly JsonValue[]): string {
  const shown = values.slice(0, MAX_LISTED).map((value) => stringifyJson(value))
  return `${shown.join(", ")}${values.length > MAX_LISTED ? ", …" : ""}`
}
