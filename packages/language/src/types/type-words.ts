// Names types in the words that users see: `integer or null`, `array of Book`.

import { memberType, type ValueKind, type ValueType } from "@callsheet/format"

/** Returns an empty string for an unknown type. */
export const typeWords = (type: ValueType): string =>
  [...(type.kinds ?? [])].map((kind) => wordOf(kind, type)).join(" or ")

function wordOf(kind: ValueKind, type: ValueType): string {
  const { format, isInteger } = type.notes?.() ?? {}
  if (kind === "object") return type.label ?? "object"
  if (kind === "array") {
    const items = memberType(type, "0")
    const word = items === undefined ? "" : (items.label ?? [...(items.kinds ?? [])].join(" or "))
    return word === "" ? "array" : `array of ${word}`
  }
  if (kind === "number" && isInteger === true) return "integer"
  return kind === "string" && format !== undefined ? `string (${format})` : kind
}
